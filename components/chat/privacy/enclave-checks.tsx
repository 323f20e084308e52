import { cn } from '@/components/ui/class-names';
import { Summary } from '@/components/ui/summary';
import { chatHopWords } from '@/lib/browser/words/chat-hops';
import { chatPrivacyWords } from '@/lib/browser/words/chat-privacy';
import type { EnclaveVerdict } from '@/lib/protocol/attestation/enclave';
import type { ServedVerdict } from '@/lib/protocol/attestation/served-report';
import { CheckGroups } from './check-groups';
import { VERDICTS } from './verdicts';

/** Shows the checks of a report, grouped by enclave if there are several. Failed checks are open. */
export function EnclaveChecks({ verdict: { checks, enclaves } }: { verdict: ServedVerdict }) {
  if (enclaves.length < 2) return <CheckGroups checks={checks} />;
  return (
    <div className="grid gap-3">
      {enclaves.map((enclave, index) => (
        <OneEnclave key={`${enclave.role} ${enclave.name ?? index}`} enclave={enclave} />
      ))}
    </div>
  );
}

function OneEnclave({
  enclave: { role, name, verdict, reason, isUsed, unusable, checks },
}: {
  enclave: EnclaveVerdict;
}) {
  const { Icon, ink } = VERDICTS[verdict];
  const passed = checks.filter(({ outcome }) => outcome === 'passed').length;
  const use = unusable !== null ? chatHopWords.neverUsed : isUsed ? null : chatHopWords.notUsed;
  return (
    <details
      className="group rounded-md border border-line"
      open={isUsed && (verdict === 'failed' || verdict === 'not-checkable')}
      data-enclave={role}
      data-verdict={verdict}
    >
      <Summary className="min-h-9 px-2.5 py-1.5 text-sm hover:bg-hover pointer-coarse:min-h-11">
        <span className="min-w-0 flex-1 font-medium wrap-anywhere">
          {chatHopWords.enclave(role, name)}
          {use !== null && <span className="font-normal text-faint"> · {use}</span>}
        </span>
        <span className="figures shrink-0 text-xs text-faint">{chatHopWords.passed(passed, checks.length)}</span>
        <span className={cn('flex shrink-0 items-center gap-1 text-xs', ink)}>
          <Icon aria-hidden className="size-3.5" />
          {chatPrivacyWords.verdicts[verdict].word}
        </span>
      </Summary>
      <div className="grid gap-3 border-t border-line p-2.5">
        {(unusable ?? reason) !== null && <p className="text-sm wrap-anywhere">{unusable ?? reason}</p>}
        <CheckGroups checks={checks} />
      </div>
    </details>
  );
}
