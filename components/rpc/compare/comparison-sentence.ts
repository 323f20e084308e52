import type { ComparedField } from '@/lib/browser/comparison/compare-answers';
import type { ComparedCall } from '@/lib/browser/comparison/use-comparison';

/** The calls that have an answer, JSON-RPC errors included. */
export function answeredAmong(calls: readonly ComparedCall[]): Extract<ComparedCall, { status: 'answered' }>[] {
  return calls.filter((call) => call.status === 'answered');
}

/** How far the comparison is, and then what came of it, in a sentence. */
export function comparisonSentence(calls: readonly ComparedCall[], fields: readonly ComparedField[]): string {
  const answered = answeredAmong(calls).length;
  const failed = calls.filter(({ status }) => status === 'failed').length;
  if (answered + failed < calls.length) return `${answered + failed} of ${calls.length} have answered…`;
  const failures = failed === 0 ? '' : ` ${failed} of ${calls.length} gave no answer.`;
  if (answered === 0) return 'No network gave an answer.';
  if (answered === 1) return `One network answered: there is nothing to compare it with.${failures}`;
  const differing = fields.filter(({ differs }) => differs).length;
  if (differing === 0) return `All ${answered} answers are equal.${failures}`;
  const places = fields.length === 1 ? 'The answers differ' : `The answers differ in ${differing.toLocaleString('en-US')} of ${fields.length.toLocaleString('en-US')} fields`;
  return `${places}.${failures}`;
}
