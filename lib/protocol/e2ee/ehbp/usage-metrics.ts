import type { TokenUsage } from '../../chat/token-usage';

/** By which a proxy asks what a request took (docs.tinfoil.sh, "Usage metrics for billing"): `true`. */
export const USAGE_REQUEST_HEADER = 'x-tinfoil-request-usage-metrics';
/** In which it is told: among the headers of a whole answer, among the trailers of a stream. */
export const USAGE_HEADER = 'x-tinfoil-usage-metrics';

const LENGTH_MAX = 1_024;
const COUNT = /^\d{1,9}$/;

/** What an enclave tells in the clear that a request took. */
export interface ToldUsage extends TokenUsage {
  /** The model that served it, where it is told. */
  model: string | null;
}

/**
 * Reads `prompt=67,completion=42,total=109,model=kimi-k3`; members of other names are passed over. Null for what says
 * less, says it twice, or is none: no chat is without a prompt, and none has a thousand million tokens.
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

/** What was told in two places: what stands in one of them, or the same in both; null where they differ. */
export function agreedUsage(one: ToldUsage | null, other: ToldUsage | null): ToldUsage | null {
  if (one === null || other === null) return one ?? other;
  return one.promptTokens === other.promptTokens &&
    one.completionTokens === other.completionTokens &&
    one.model === other.model
    ? one
    : null;
}
