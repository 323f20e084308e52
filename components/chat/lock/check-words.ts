import { PINNABLE_LABELS } from '@/lib/browser/chat/workload-pins';
import type { Check, CheckId } from '@/lib/protocol/tee/check-list';

/** Whose root a certificate chain ends in: Intel's, which is built into this page; a simulator's; or none that is known. */
export type RootKind = 'built-in' | 'simulated' | 'unknown';

/** Read from what the check of the chain established, so that words claim no more than it did. */
export function rootKindOf(checks: readonly Check[]): RootKind {
  const chain = checks.find(({ id }) => id === 'certificate-chain');
  if (chain?.outcome !== 'passed' || typeof chain.evidence.simulated !== 'boolean') return 'unknown';
  return chain.evidence.simulated ? 'simulated' : 'built-in';
}

/** What is asked by a group of checks, or found by one: nothing that a simulator vouches for is called genuine or trusted. */
export function titleUnder(root: RootKind, title: string): string {
  return (root === 'simulated' ? SIMULATED_TITLES[title] : undefined) ?? title;
}

/** What a check is for, for who does not know the protocol. */
export function aboutCheck(id: CheckId, root: RootKind): string {
  if (id === 'certificate-chain' && root === 'built-in') return 'Each certificate is signed by the next. The last is compared, byte for byte, with the root that is built into this page.';
  return (root === 'simulated' ? ABOUT_SIMULATED[id] : undefined) ?? ABOUT[id];
}

/** What the certificates of a processor's chain are, leaf first. */
export function chainRoles(root: RootKind): readonly string[] {
  if (root === 'simulated') return ['Simulated processor (PCK)', 'Simulated authority', 'Root of the simulator, given to this page by this gateway’s sandbox'];
  return ['Processor (PCK)', 'Authority', root === 'built-in' ? 'Root, built into this page' : 'Root'];
}

/** The name of a piece of evidence in words. */
export function evidenceLabel(name: string): string {
  return LABELS[name] ?? name;
}

const ABOUT: Record<CheckId, string> = {
  'quote-format': 'A quote is a report by the processor about what it runs. Bytes after its end, or another kind of quote, are refused.',
  'certificate-chain': 'Each certificate is signed by the next. The last is compared, byte for byte, with the roots that this page trusts.',
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
  workload: 'The measurements are compared with those that you have pinned in this browser: firmware, boot and application together. The host chooses MRCONFIGID and the guest extends RTMR3, so a compose file is only known where what boots is known.',
  'gpu-evidence': 'Each graphics processor’s certificate leads to NVIDIA’s root, and its key has signed its measurements for the nonce that was sent. The measurements are compared with nothing here.',
  gpu: 'NVIDIA’s own verdict on the graphics processors, signed, and about the same nonce.',
};

const SIMULATED_TITLES: Readonly<Record<string, string>> = {
  'Is it genuine hardware?': 'Does the simulated hardware vouch for it?',
  'The processor is certified under a trusted root': 'The simulated processor is certified under the root of the simulator',
};

/** The same where a simulator made everything: what says otherwise under a real root would be untrue here. */
const ABOUT_SIMULATED: Partial<Record<CheckId, string>> = {
  'quote-format': 'A quote is a report by a processor about what it runs; this one a simulator wrote, in the same form. Bytes after its end, or another kind of quote, are refused.',
  'certificate-chain': 'Each certificate is signed by the next. The last is compared, byte for byte, with the simulator’s root, which came from this gateway’s sandbox (GET /api/sandbox). It is not built into this page, and says nothing of any hardware.',
  'tcb-info': 'A list of firmware versions and their faults in the form of Intel’s, signed by the simulator, current, and for this family of simulated processors.',
  'qe-identity': 'What the enclave that signs quotes has to be, signed by the simulator.',
  'quoting-enclave': 'The simulated processor vouches for the simulated enclave that signed, and for the key with which it did.',
  'tcb-status': 'The simulator’s list knows no fault of the simulated firmware that the policy does not accept.',
  'tdx-module': 'On hardware it is the software that keeps the host out of the enclave. Here it is one that the simulator’s list names, and keeps nobody out.',
};

const LABELS: Readonly<Record<string, string>> = {
  version: 'Version',
  bytes: 'Bytes',
  root: 'Root',
  authority: 'Authority',
  processor: 'Processor',
  fmspc: 'Family of processors (FMSPC)',
  pceId: 'PCE ID',
  simulated: 'Simulated',
  at: 'Checked for',
  validUntil: 'Valid until',
  issued: 'Issued',
  evaluationDataNumber: 'Number of the evaluation',
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
  composeBoundBy: 'Compose file bound by',
  measured: 'Measured, in the quote',
  boundBy: 'Bound by',
  arch: 'Architecture',
  gpus: 'GPUs',
  devices: 'Devices',
  drivers: 'Drivers',
  notChecked: 'Not checked',
  issuer: 'Issuer',
  result: 'NVIDIA’s result',
  models: 'Models',
  workload: 'Pinned as',
  pinnedBy: 'Pinned by',
  pin: 'The pin that fits',
  missing: 'Missing in it',
};
