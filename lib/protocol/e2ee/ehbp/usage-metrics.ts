import type { TokenUsage } from '../../chat/token-usage';

/** By which a proxy asks what a request took (docs.tinfoil.sh, "Usage metrics for billing"): `true`. */
export const USAGE_REQUEST_HEADER = 'x-tinfoil-request-usage-metrics';
/** In which it is told: among the headers of a whole answer, among the trailers of a stream. */
export const USAGE_HEADER = 'x-tinfoil-usage-metrics';

const LENGTH_MAX = 1_024;
const COUNT = /^\d{1,15}$/;

/** Reads `prompt=67,completion=42,total=109`; members of other names are passed over. Null for what says less, says it twice, or is none. */
export function readUsageMetrics(value: string | string[] | undefined): TokenUsage | null {
  if (typeof value !== 'string' || value.length > LENGTH_MAX) return null;
  const members = value.split(',').map((member) => member.split('=').map((part) => part.trim()));
  const count = (name: string): number | null => {
    const [found, ...more] = members.filter(([each]) => each === name);
    return found?.length === 2 && more.length === 0 && COUNT.test(found[1] ?? '') ? Number(found[1]) : null;
  };
  const [promptTokens, completionTokens] = [count('prompt'), count('completion')];
  return promptTokens === null || completionTokens === null ? null : { promptTokens, completionTokens };
}
