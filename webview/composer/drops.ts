/** Attaches what is dropped anywhere in the chat: a drop beside the message field is meant for it too. */
import { useEffect } from 'preact/hooks';
import { post } from '../app/host.ts';

/** @param attachFiles called with files from outside of VS Code, and images from web pages */
export function useDrops(attachFiles: (files: Iterable<File>) => Promise<void>): void {
  useEffect(() => {
    const onDragOver = (event: DragEvent): void => {
      if (!dragsText(event.dataTransfer)) event.preventDefault();
    };
    const onDrop = (event: DragEvent): void => {
      if (dragsText(event.dataTransfer)) return;
      event.preventDefault();
      const uris = urisOf(event.dataTransfer);
      const { files = [] } = event.dataTransfer ?? {};
      // An image that is dragged from a browser has an address too, which is not that of a file.
      if (files.length > 0 && uris.every((uri) => /^https?:/.test(uri))) void attachFiles(files);
      else if (uris.length > 0) post({ type: 'attachUris', uris });
    };
    window.addEventListener('dragover', onDragOver);
    window.addEventListener('drop', onDrop);
    return () => {
      window.removeEventListener('dragover', onDragOver);
      window.removeEventListener('drop', onDrop);
    };
  });
}

/** @returns whether text is dragged, which a field itself inserts or moves */
const dragsText = (data: DataTransfer | null): boolean =>
  data?.types.every((type) => ['text/plain', 'text/html'].includes(type)) === true;

/** @returns the URIs of files dragged from VS Code, which may be on any file system */
function urisOf(data: DataTransfer | null): string[] {
  const list = data?.getData('application/vnd.code.uri-list') || data?.getData('text/uri-list') || '';
  return list.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'));
}
