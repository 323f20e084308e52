import { cn } from '@/components/ui/class-names';
import { PINNABLE_LABELS } from '@/lib/browser/chat/workload-pins';
import type { Check, CheckId, Evidence } from '@/lib/protocol/tee/check-list';
import { ArrowDown } from 'lucide-react';

/** What each check is for, for who does not know the protocol. */
const ABOUT: Partial<Record<CheckId, string>> = {
  'quote-format': 'A quote is a report by the processor about what it runs. Bytes after its end, or another kind of quote, are refused.',
  'certificate-chain': 'Each certificate is signed by the next. The last is compared, byte for byte, with the root that is built into this page.',
  'certificate-validity': 'No certificate is used before its time or after it.',
  revocation: 'The lists of withdrawn certificates are signed by those who issued them, and still current.',
  'tcb-info': 'Intel’s list of firmware versions and their faults, signed, current, and for this family of processors.',
  'qe-identity': 'What the enclave that signs quotes has to be, signed by Intel.',
  'quoting-enclave': 'The processor vouches for the enclave that signed, and for the key with which it did.',
  'quote-signature': 'Not one byte of the quote was changed since.',
  'tcb-status': 'Firmware, microcode and module have no published fault that the policy does not accept.',
  'tdx-module': 'The software that keeps the host out of the enclave is Intel’s, in a known version.',
  'debug-off': 'A host can read the memory of an enclave under debug. The quote says whether it is.',
  nonce: 'Random bytes drawn here for this attestation: a recorded quote could not have them.',
  model: 'The report names the model that was asked for. The quote itself names none.',
  'signing-key': 'The quote holds the address of the key that messages are encrypted to and answers are signed with. Another key would be somebody else’s.',
  'event-log': 'The log of what was started leads, by its hashes, to the registers in the quote.',
  'compose-file': 'The list of containers is the one whose hash the quote holds.',
  workload: 'The measurements are compared with those that you have pinned in this browser.',
  gpu: 'NVIDIA’s own verdict on the graphics processors, signed, and about the same nonce.',
};

const LABELS: Readonly<Record<string, string>> = {
  version: 'Version',
  bytes: 'Bytes',
  root: 'Root, pinned',
  authority: 'Authority',
  processor: 'Processor',
  fmspc: 'Family of processors (FMSPC)',
  pceId: 'PCE ID',
  simulated: 'Simulated',
  at: 'Checked for',
  validUntil: 'All valid until',
  rootList: 'List of the root',
  processorList: 'List of processors',
  mrSigner: 'MRSIGNER',
  mrEnclave: 'MRENCLAVE',
  isvSvn: 'ISV SVN',
  signedBytes: 'Signed bytes',
  status: 'Status',
  platform: 'Platform',
  quotingEnclave: 'Quoting enclave',
  module: 'TDX module',
  tcbDate: 'Level of',
  advisories: 'Advisories',
  mrSeam: 'MRSEAM',
  tdAttributes: 'Attributes',
  sent: 'Sent',
  quote: 'In the quote',
  report: 'In the report',
  asked: 'Asked for',
  signingKey: 'Public key in the report',
  quoteNonce: 'In the quote',
  events: 'Events',
  replayed: 'Replayed',
  ...PINNABLE_LABELS,
  composeBoundBy: 'Bound by',
  workload: 'Pinned as',
  pinnedBy: 'Pinned by',
};

/** What a check looked at, and what it is for. */
export function CheckEvidence({ check: { id, evidence } }: { check: Check }) {
  const { root, authority, processor } = evidence;
  const chain = id === 'certificate-chain' && typeof root === 'string' ? [processor, authority, root].map(String) : null;
  const rest = chain === null ? evidence : Object.fromEntries(Object.entries(evidence).filter(([name]) => !['root', 'authority', 'processor'].includes(name)));
  return (
    <>
      {ABOUT[id] && <p className="text-dim">{ABOUT[id]}</p>}
      {chain !== null && <Chain names={chain} />}
      <EvidenceList evidence={rest} isComparison={id === 'nonce'} />
    </>
  );
}

const CHAIN_ROLES = ['Processor (PCK)', 'Authority', 'Root, built into this page'];

function Chain({ names }: { names: readonly string[] }) {
  return (
    <ol aria-label="Certificate chain" className="grid gap-1">
      {names.map((name, index) => (
        <li key={CHAIN_ROLES[index]} className="grid gap-1">
          <div className="rounded-sm border border-line bg-ground px-2 py-1.5">
            <span className="block text-faint">{CHAIN_ROLES[index]}</span>
            <span className="figures wrap-anywhere">{name}</span>
          </div>
          {index < names.length - 1 && (
            <span className="flex items-center gap-1 pl-2 text-faint">
              <ArrowDown aria-hidden className="size-3.5" />
              signed by
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}

function EvidenceList({ evidence, isComparison }: { evidence: Evidence; isComparison: boolean }) {
  const entries = Object.entries(evidence).filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0));
  if (entries.length === 0) return null;
  const differs = (value: unknown) => isComparison && typeof evidence.sent === 'string' && typeof value === 'string' && value.toLowerCase() !== evidence.sent.toLowerCase();
  return (
    <dl className="grid gap-x-3 gap-y-1.5 sm:grid-cols-[minmax(7rem,auto)_minmax(0,1fr)]">
      {entries.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-faint">{LABELS[name] ?? name}</dt>
          <dd className={cn('figures mb-1 wrap-anywhere sm:mb-0', differs(value) && 'text-bad')}>
            {Array.isArray(value) ? value.join(', ') : String(value)}
            {differs(value) && <span className="font-sans"> ≠ sent</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
