/** Whether a Host header names this machine by one of its loopback names. */
export function isLocalHost(host: string | undefined): boolean {
  return /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/.test(host ?? '');
}
