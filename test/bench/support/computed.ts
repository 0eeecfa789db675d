/** @returns milliseconds of processor time of this thread, independent of other load on the machine */
export function computed(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
