/** Called by Next once before it serves, under either entry. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { bootedGateway } = await import('./booted');
  // Under server.ts, which never has API calls reach Next.
  const booted = bootedGateway();
  if (booted) return void (await booted);
  const { boot } = await import('./boot');
  const { openNextEntry } = await import('./lib/server/http/next-entry');
  const servers = openNextEntry();
  const starting = boot();
  if (process.env.NODE_ENV === 'production') {
    const { stopOnSignals } = await import('./lib/server/http/stop-signals');
    const { stopServing } = await import('./stopping');
    // Next would end the process with the last connection, whatever is still to be charged.
    stopOnSignals(async () => stopServing(await starting, [...servers]));
  }
  await starting;
}
