import type { TokenUsage } from '../../chat/token-usage';

/** Request header for usage, with the value `true` (docs.tinfoil.sh, "Usage metrics for billing"). */
export const USAGE_REQUEST_HEADER = 'x-tinfoil-request-usage-metrics';
/** Header that contains the usage. Streamed answers send this header as a trailer. */
export const USAGE_HEADER = 'x-tinfoil-usage-metrics';

const LENGTH_MAX = 1_024;
const COUNT = /^\d{1,9}$/;

/** Usage that an enclave reports unencrypted. */
export interface ToldUsage extends TokenUsage {
  /** Model that served the request, or null if not stated. */
  model: string | null;
}

/**
 * Parses `prompt=67,completion=42,total=109,model=kimi-k3` and ignores other members. Null if a count is missing,
 * duplicate or implausible.
 */
export function readUsageMetrics(value: string | string[] | undefined): ToldUsage | null {
  if (typeof value !== 'string' || value.length > LENGTH_MAX) return null;
  const members = value.split(',').map((member) => member.split('=').map((part) => part.trim()));
  const said = (name: string): string | null => {
    const [found, ...more] = members.filter(([each]) => each === name);
    return found?.length === 2 && more.length === 0 ? (found[1] ?? null) : null;
  };
  const count = (name: string): number => {
    const text = said(name);
    return text !== null && COUNT.test(text) ? Number(text) : -1;
  };
  const [promptTokens, completionTokens] = [count('prompt'), count('completion')];
  return promptTokens < 1 || completionTokens < 0 ? null : { promptTokens, completionTokens, model: said('model') };
}

/** Returns the usage if both reports agree or only one is present; null if they differ. */
export function agreedUsage(one: ToldUsage | null, other: ToldUsage | null): ToldUsage | null {
  if (one === null || other === null) return one ?? other;
  return one.promptTokens === other.promptTokens &&
    one.completionTokens === other.completionTokens &&
    one.model === other.model
    ? one
    : null;
}
