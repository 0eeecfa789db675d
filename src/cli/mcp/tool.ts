/** What the tools have in common. */
import { z, type ZodRawShape } from 'zod';
import type { Invocation } from '../command.ts';
import type { ProgressReporter } from './progress.ts';

/** A call of a tool; its signal is that of the call. */
export interface ToolInvocation extends Invocation {
  /** Absent if the client asked for no progress. */
  progress: ProgressReporter | undefined;
}

export interface Tool<Input extends ZodRawShape> {
  name: string;
  title: string;
  description: string;
  inputSchema: Input;
  outputSchema: ZodRawShape;
  /**
   * @returns the result as text, and as data of the output schema
   * @throws Error with a message that says what to do
   */
  run(input: z.output<z.ZodObject<Input>>, call: ToolInvocation): Promise<ToolResult>;
}

export interface ToolResult {
  text: string;
  structured: object;
}

export const name = z.string().trim().min(1);

export const branch = name.optional().describe('Development branch of the data model; main by default');

export const as = name.optional().describe('Name of the identity to ask as');
