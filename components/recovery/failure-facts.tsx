import { PageLink } from '@/components/ui/page-link';
import type { FailureWords } from '@/lib/browser/recovery/failure-words';
import type { GatewayError } from '@/lib/client';
import { recoveryWords } from '@/lib/browser/words/recovery';

/**
 * Shows a refusal's facts for a developer or the operator: status, code, charge (null if not applicable) and request
 * id.
 */
export function FailureFacts({
  error: { status, detail },
  charge,
}: {
  error: GatewayError;
  charge: FailureWords['charge'] | null;
}) {
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 text-xs">
      <span className="figures">{recoveryWords.facts.status(status)}</span>
      {detail.code && (
        <PageLink
          href={`/reference#error-${detail.code}`}
          title={recoveryWords.facts.reference(detail.code)}
          className="figures underline underline-offset-4 hover:text-ink"
        >
          {detail.code}
        </PageLink>
      )}
      {charge !== null && (
        <span>{charge === 'none' ? recoveryWords.facts.notCharged : recoveryWords.facts.maybeCharged}</span>
      )}
      {detail.requestId && <span className="figures break-all">{recoveryWords.facts.request(detail.requestId)}</span>}
    </p>
  );
}
