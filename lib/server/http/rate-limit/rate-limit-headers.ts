/** Returns the headers of a 429: limit, remaining requests, reset in Unix seconds, and Retry-After in seconds. */
export function rateLimitHeaders(
  { limit, remaining, resetAt }: { limit: number; remaining: number; resetAt: number },
  now: number,
): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil(resetAt / 1000)),
    'retry-after': String(Math.max(1, Math.ceil((resetAt - now) / 1000))),
  };
}
