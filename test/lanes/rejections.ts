/** Fails the running test on a rejected promise that nothing handles: workers of parallel runs would ignore it. */
process.on('unhandledRejection', (reason) => {
  throw reason;
});
