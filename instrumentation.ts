/** Next calls this once before it serves, with and without `server.ts`. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { startedApi } = await import('./lib/server/http/served-api');
  // server.ts has already started the gateway, and API calls never reach Next.
  if (startedApi()) return;
  const { boot } = await import('./boot');
  const { openNextEntry } = await import('./lib/server/http/next-entry');
  const servers = openNextEntry();
  const starting = boot();
  if (process.env.NODE_ENV === 'production') {
    const { stopOnSignals } = await import('./lib/server/http/stop-signals');
    const { stopServing } = await import('./stopping');
    // Next would exit after the last connection, before pending charges are written.
    stopOnSignals(async () => stopServing(await starting, [...servers]));
  }
  await starting;
}
