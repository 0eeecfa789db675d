/** How components post messages about the thread that they show: a page may show several threads. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { FromWebview } from '../../src/shared/protocol/chat.ts';
import { post } from './host.ts';

export type Post = (message: FromWebview) => void;

/** Provided by a page for each of its threads; by default, messages are about the only thread of the page. */
export const PostContext = createContext<Post>(post);

export const usePost = (): Post => useContext(PostContext);
