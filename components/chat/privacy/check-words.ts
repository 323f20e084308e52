import type { EnclaveCheckId as CheckId } from '@/lib/protocol/attestation/enclave-checks';
import { PINNABLE_LABELS } from './kept-pins';

export const checkWords = {
  /** Purpose of each check, for readers who do not know the protocol. */
  about: {
    'report-format': 'The answer has the form of a family of reports that this page reads.',
    'quote-format':
      'A quote is a report by the processor about what it runs. Bytes after its end, or another kind of quote, are refused.',
    'certificate-chain':
      'Each certificate is signed by the next. The last is compared, byte for byte, with the roots that this page trusts.',
    'certificate-validity': 'No certificate is used before it is valid, or after it has expired.',
    revocation: 'The lists of withdrawn certificates are signed by those who issued them, and still current.',
    'tcb-info':
      'Intel’s list of firmware versions and their faults, signed, current, and for this family of processors.',
    'qe-identity': 'What the enclave that signs quotes has to be, signed by Intel.',
    'quoting-enclave': 'The processor vouches for the enclave that signed, and for the key with which it did.',
    'quote-signature': 'Not one byte of the quote has changed since it was signed.',
    'tcb-status': 'Firmware, microcode and module have no published fault that the policy does not accept.',
    'tdx-module': 'The software that keeps the host out of the enclave is Intel’s, in a known version.',
    'debug-off': 'A host can read the memory of an enclave under debug. The quote says whether it is.',
    'migration-off': 'Nothing may move the enclave to other hardware, which could then read it.',
    'privilege-level':
      'The most privileged part of the guest asked for the report. So the report speaks for the whole guest.',
    nonce: 'Random bytes chosen here for this attestation: a quote recorded earlier could not contain them.',
    model: 'The report contains the requested model. The quote itself contains none.',
    'signing-key':
      'The quote speaks for the enclave’s key: messages are encrypted to it, or answers are signed with it, or both. Any other key would be another party’s.',
    certificate:
      'The hardware vouches for the key that terminates TLS. A connection to it ends in the enclave and nowhere else.',
    'certificate-signature': 'The certificate is signed with the key that the hardware vouches for, and with no other.',
    'event-log': 'The hashes in the log of what was started lead to the registers in the quote.',
    'compose-file': 'The list of containers is the one whose hash is in the quote.',
    images: 'A container image that is named by its digest is that image; a tag can be made to mean another tomorrow.',
    release:
      'Who built what runs there, from which commit and by which workflow, as Sigstore’s public log vouches for it.',
    workload:
      'The measurements are compared with those that you have pinned in this browser: firmware, boot and application together. The host chooses MRCONFIGID and the guest extends RTMR3. So a compose file is known only with a known boot.',
    'gpu-evidence':
      'Each graphics processor’s certificate leads to NVIDIA’s root. Its key has signed its measurements for the nonce that was sent. The measurements are compared with nothing here.',
    gpu: 'NVIDIA’s own verdict on the graphics processors, signed, and about the same nonce.',
  } satisfies Record<CheckId, string>,

  aboutBuiltInRoot:
    'Each certificate is signed by the next. The last is compared, byte for byte, with the root that is built into this page.',

  /** Texts for simulated evidence, for which the texts about a real root would be untrue. */
  aboutSimulated: {
    'quote-format':
      'A quote is a report by a processor about what it runs; this one was written by a simulator, in the same form. Bytes after its end, or another kind of quote, are refused.',
    'certificate-chain':
      'Each certificate is signed by the next. The last is compared, byte for byte, with the simulator’s root, which came from this gateway’s sandbox (GET /api/sandbox). It is not built into this page, and says nothing of any hardware.',
    'tcb-info':
      'A list of firmware versions and their faults, in the form of Intel’s. It is current, signed by the simulator, and for this family of simulated processors.',
    'qe-identity': 'What the enclave that signs quotes has to be, signed by the simulator.',
    'quoting-enclave':
      'The simulated processor vouches for the simulated enclave that signed, and for the key with which it did.',
    'tcb-status': 'The simulator’s list knows no fault of the simulated firmware that the policy does not accept.',
    'tdx-module':
      'On hardware it is the software that keeps the host out of the enclave. Here it is one that the simulator’s list names, and keeps nobody out.',
  } satisfies Partial<Record<CheckId, string>>,

  chain: 'Certificate chain',
  signedBy: 'signed by',
  notSent: '≠ sent',
  simulatedRoles: [
    'Simulated processor (PCK)',
    'Simulated authority',
    'Root of the simulator, given to this page by this gateway’s sandbox',
  ],
  roles: (root: string) => ['Processor (PCK)', 'Authority', root],
  root: 'Root',
  builtInRoot: 'Root, built into this page',

  evidence: {
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
    evaluationDataNumber: 'Evaluation number',
    rootList: 'Revocation list of the root',
    processorList: 'Revocation list of processors',
    mrSigner: 'MRSIGNER',
    mrEnclave: 'MRENCLAVE',
    isvSvn: 'ISV SVN',
    signedBytes: 'Signed bytes',
    status: 'Status',
    platform: 'Platform',
    quotingEnclave: 'Quoting enclave',
    module: 'TDX module',
    tcbDate: 'Level from',
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
    rules: 'What was compared',
    reportData: 'Report data, in the quote',
    subject: 'Issued to',
    certificate: 'Certificate',
    key: 'Key',
    images: 'Images',
    notPinned: 'Named by no digest',
    stated: 'Stated',
    wanted: 'Should be',
    named: 'GPUs in the verdict',
    switches: 'Switches',
    family: 'Family of reports',
    enclaves: 'Enclaves',
    repository: 'Repository',
    commit: 'Commit',
    workflow: 'Workflow',
    built: 'Built',
    logged: 'Logged at',
    attested: 'Digest',
    found: 'Found',
  } as Readonly<Record<string, string>>,
} as const;
