import { cn } from '@/components/ui/class-names';
import type { EnclaveCheck as Check, EnclaveCheckId as CheckId } from '@/lib/protocol/attestation/enclave-checks';
import type { Evidence } from '@/lib/protocol/tee/check-list';
import { ArrowDown } from 'lucide-react';
import { checkWords } from './check-words';
import type { RootKind } from './grouped-checks';

export function CheckEvidence({ check: { id, evidence }, root: rootKind }: { check: Check; root: RootKind }) {
  const { root, authority, processor } = evidence;
  const chain =
    id === 'certificate-chain' && typeof root === 'string' ? [processor, authority, root].map(String) : null;
  const rest =
    chain === null
      ? evidence
      : Object.fromEntries(
          Object.entries(evidence).filter(([name]) => !['root', 'authority', 'processor'].includes(name)),
        );
  return (
    <>
      <p className="text-dim">{aboutCheck(id, rootKind)}</p>
      {chain !== null && <Chain names={chain} roles={chainRoles(rootKind)} />}
      <EvidenceList evidence={rest} isComparison={id === 'nonce'} />
    </>
  );
}

function Chain({ names, roles }: { names: readonly string[]; roles: readonly string[] }) {
  return (
    <ol aria-label={checkWords.chain} className="grid gap-1">
      {names.map((name, index) => (
        <li key={roles[index]} className="grid gap-1">
          <div className="rounded-sm border border-line bg-ground px-2 py-1.5">
            <span className="block text-faint">{roles[index]}</span>
            <span className="figures wrap-anywhere">{name}</span>
          </div>
          {index < names.length - 1 && (
            <span className="flex items-center gap-1 pl-2 text-faint">
              <ArrowDown aria-hidden className="size-3.5" />
              {checkWords.signedBy}
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}

function EvidenceList({ evidence, isComparison }: { evidence: Evidence; isComparison: boolean }) {
  const entries = Object.entries(evidence).filter(
    ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
  );
  if (entries.length === 0) return null;
  const differs = (value: unknown) =>
    isComparison &&
    typeof evidence.sent === 'string' &&
    typeof value === 'string' &&
    value.toLowerCase() !== evidence.sent.toLowerCase();
  return (
    <dl className="grid gap-x-3 gap-y-1.5 sm:grid-cols-[minmax(7rem,auto)_minmax(0,1fr)]">
      {entries.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-faint">{evidenceLabel(name)}</dt>
          <dd className={cn('figures mb-1 wrap-anywhere sm:mb-0', differs(value) && 'text-bad')}>
            {Array.isArray(value) ? value.join(', ') : String(value)}
            {differs(value) && <span className="font-sans"> {checkWords.notSent}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

export function aboutCheck(id: CheckId, root: RootKind): string {
  if (id === 'certificate-chain' && root === 'built-in') return checkWords.aboutBuiltInRoot;
  const simulated: Partial<Record<CheckId, string>> = checkWords.aboutSimulated;
  return (root === 'simulated' ? simulated[id] : undefined) ?? checkWords.about[id];
}

/** Returns a name for each certificate in a processor's certificate chain, leaf first. */
export function chainRoles(root: RootKind): readonly string[] {
  if (root === 'simulated') return checkWords.simulatedRoles;
  return checkWords.roles(root === 'built-in' ? checkWords.builtInRoot : checkWords.root);
}

export function evidenceLabel(name: string): string {
  return checkWords.evidence[name] ?? name;
}
