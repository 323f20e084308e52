/** Called by Next once before it serves, under either entry. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { boot, isBooted } = await import('./boot');
  if (!isBooted()) {
    const { openNextDoor } = await import('./lib/server/http/next-entry');
    openNextDoor();
  }
  await boot();
}
