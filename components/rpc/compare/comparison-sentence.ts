import type { ComparedField } from '@/lib/browser/rpc/comparison/compare-answers';
import type { ComparedCall } from '@/lib/browser/rpc/comparison/use-comparison';
import { rpcCompareWords as words } from '@/lib/browser/words/rpc-tools';

/** Returns the calls with an answer, including JSON-RPC errors. */
export function answeredAmong(calls: readonly ComparedCall[]): Extract<ComparedCall, { status: 'answered' }>[] {
  return calls.filter((call) => call.status === 'answered');
}

/** Describes the progress of the comparison, then its result, in one sentence. */
export function comparisonSentence(calls: readonly ComparedCall[], fields: readonly ComparedField[]): string {
  const answered = answeredAmong(calls).length;
  const failed = calls.filter(({ status }) => status === 'failed').length;
  if (answered + failed < calls.length) return words.progress(answered + failed, calls.length);
  const failures = failed === 0 ? '' : ` ${words.failed(failed, calls.length)}`;
  if (answered === 0) return words.none;
  if (answered === 1) return words.one + failures;
  const differing = fields.filter(({ differs }) => differs).length;
  if (differing === 0) return words.equal(answered) + failures;
  return words.differ(differing, fields.length) + failures;
}
