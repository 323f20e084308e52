/** Called by Next once before it serves, under either entry. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { boot } = await import('./boot');
  await boot();
}
