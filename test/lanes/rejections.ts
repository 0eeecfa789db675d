/** Fails the running test on a rejected promise that nothing handles: workers of parallel runs would ignore it. */
process.on('unhandledRejection', (reason) => {
  throw reason;
});

// As in workers of parallel runs: without a limit, errors at the end of deep recursion take seconds.
Error.stackTraceLimit = 10;
