/** The headers of a 429: the cap, what is left of it, and when it resets, in Unix seconds (Retry-After: from now). */
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
