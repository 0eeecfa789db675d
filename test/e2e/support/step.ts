/** Runs a step of a journey; if it fails, the message names the step. */
export async function step(title: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw new Error(`${title}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
