import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { canonicalJson } from '@/lib/protocol/canonical-json';
import { formatUsd, NANO_DECIMALS } from '@/lib/protocol/pricing';
import { isSignedBy, readCompactJws } from '@/lib/protocol/receipts/compact-jws';
import {
  LEDGER_NETWORK,
  type Receipt,
  receiptKeySchema,
  receiptKeysSchema,
  receiptSchema,
  signedReceiptSchema,
} from '@/lib/protocol/receipts/receipt';
import { ed25519ResponseFault } from '@/lib/protocol/tee/ed25519-response-signature';
import { responseSignatureFault } from '@/lib/protocol/tee/response-signature';
import { blocksFault, blocksSentence } from './blocks-in-exchange';

const CLOCK_SECONDS = 300;
const ENCLAVES_MAX = 16;

const RECEIPT_HOPS = [
  'form',
  'signature',
  'request',
  'answer',
  'price',
  'payment',
  'chain',
  'enclave',
  'report',
] as const;
export type ReceiptHopName = (typeof RECEIPT_HOPS)[number];

/**
 * Part of a receipt, with its outcome:
 *
 * - `proven`: the given evidence proves this part.
 * - `stated`: the gateway states this part, and nothing proves it.
 * - `unchecked`: proof needs a file that was not given, or a service.
 * - `refused`: this part is invalid.
 */
export interface ReceiptHop {
  hop: ReceiptHopName;
  outcome: 'proven' | 'stated' | 'unchecked' | 'refused';
  text: string;
}

export interface JudgedReceipt {
  /** Null if the hop `form` or `signature` is refused. */
  receipt: Receipt | null;
  isRefused: boolean;
  hops: readonly ReceiptHop[];
}

export interface ReceiptEvidence {
  /** JSON answer of the gateway, or the JWS in that answer. */
  receipt: string;
  keys: unknown;
  issuer?: string | undefined;
  request?: Uint8Array | undefined;
  answer?: Uint8Array | undefined;
  /** Answer of `GET /tee/attestation`. */
  report?: Uint8Array | undefined;
  nowMs: number;
}

/** Checks a receipt offline, hop by hop. Trusts only the given gateway keys. */
export function judgeReceipt(evidence: ReceiptEvidence): JudgedReceipt {
  const opened = openReceipt(evidence);
  if ('hop' in opened) return { receipt: null, isRefused: true, hops: [opened] };
  const { receipt, kid } = opened;
  const hops = [
    proven('form', `Version ${receipt.version} of a receipt for ${receipt.resourceUrl}, request ${receipt.requestId}.`),
    proven(
      'signature',
      `Key ${kid} of ${receipt.issuer} signed it for ${new Date(receipt.issuedAt * 1_000).toISOString()}. The time is the gateway's own.`,
    ),
    ...[requestHop, answerHop, priceHop, paymentHop, chainHop, enclaveHop, reportHop].flatMap(
      (check) => check(receipt, evidence) ?? [],
    ),
  ];
  return { receipt, isRefused: hops.some(({ outcome }) => outcome === 'refused'), hops };
}

type Check = (receipt: Receipt, evidence: ReceiptEvidence) => ReceiptHop | null;

function openReceipt({
  receipt: text,
  keys,
  issuer,
  nowMs,
}: ReceiptEvidence): { receipt: Receipt; kid: string } | ReceiptHop {
  const jws = readCompactJws(jwsIn(text));
  if (typeof jws === 'string') return refused('form', jws);
  const parsed = receiptSchema.safeParse(jws.payload);
  if (!parsed.success) {
    const { path = [], message = '' } = parsed.error.issues[0] ?? {};
    return refused('form', `The payload is not a receipt of version 1: ${[...path, message].join(' ')}.`);
  }
  const receipt = parsed.data;
  const fault = originFault(receipt, issuer);
  if (fault !== null) return refused('form', fault);
  const listed = receiptKeysSchema.safeParse(keys);
  const key = listed.data?.keys
    .map((each) => receiptKeySchema.safeParse(each).data)
    .find((each) => each?.kid === jws.kid);
  if (key === undefined) return refused('signature', `The key ${jws.kid} is not in the list of keys.`);
  if (!isSignedBy(jws, key))
    return refused('signature', 'The signature was not made with this key, or the receipt was altered.');
  if (receipt.issuedAt > nowMs / 1_000 + CLOCK_SECONDS) return refused('signature', 'The receipt is from the future.');
  return { receipt, kid: jws.kid };
}

export function claimedIssuer(text: string): string | null {
  const jws = readCompactJws(jwsIn(text));
  const issuer = typeof jws === 'string' ? null : receiptSchema.safeParse(jws.payload).data?.issuer;
  return issuer ?? null;
}

function jwsIn(text: string): string {
  try {
    return signedReceiptSchema.safeParse(JSON.parse(text)).data?.signature ?? text.trim();
  } catch {
    return text.trim();
  }
}

function originFault({ issuer, resourceUrl, enclave }: Receipt, expected: string | undefined): string | null {
  if (new URL(issuer).origin !== issuer) return 'The issuer is not an origin.';
  if (new URL(resourceUrl).origin !== issuer) return 'The resource is not at the origin of the issuer.';
  if (enclave?.report !== undefined && new URL(enclave.report.url).origin !== issuer)
    return 'The report is not at the origin of the issuer.';
  if (expected !== undefined && new URL(expected).origin !== issuer)
    return `The receipt was issued by ${issuer}, not by ${new URL(expected).origin}.`;
  return null;
}

const requestHop: Check = ({ request }, { request: bytes }) => {
  if (bytes === undefined)
    return unchecked(
      'request',
      `The request had ${request.bytes} bytes with SHA-256 ${request.sha256}. No file was given to compare.`,
    );
  return isSame(bytes, request)
    ? proven('request', `The file is the request that the gateway received, ${request.bytes} bytes.`)
    : refused('request', 'The file is not the request of this receipt.');
};

const answerHop: Check = ({ answer }, { answer: bytes }) => {
  const cut = answer.isComplete ? '' : ' The answer broke off, or the caller disconnected.';
  if (bytes === undefined)
    return unchecked(
      'answer',
      `The answer had ${answer.bytes} bytes with SHA-256 ${answer.sha256}. No file was given to compare.${cut}`,
    );
  return isSame(bytes, answer)
    ? proven('answer', `The file is the answer that the gateway sent, ${answer.bytes} bytes.${cut}`)
    : refused('answer', 'The file is not the answer of this receipt.');
};

const priceHop: Check = ({ offer, charge }) => {
  const most = usd(offer.maximumNanoUsd);
  if (charge.nanoUsd > offer.maximumNanoUsd)
    return refused('price', `The charge is above the offered maximum of ${most}.`);
  if (charge.isReplay && charge.nanoUsd > 0) return refused('price', 'A repeated answer is free, but was charged.');
  const { creditNanoUsd, maximumCredits } = offer.prices ?? {};
  if (creditNanoUsd !== undefined && charge.units * creditNanoUsd !== charge.nanoUsd)
    return refused('price', 'The charge is not the number of credits times the price of a credit.');
  if (creditNanoUsd !== undefined && (maximumCredits ?? 0) * creditNanoUsd !== offer.maximumNanoUsd)
    return refused('price', 'The offered maximum is not the number of credits times the price of a credit.');
  const terms = Object.entries(offer.prices ?? {}).map(([name, value]) => `${name} ${value}`);
  return stated(
    'price',
    `Charged ${usd(charge.nanoUsd)} for ${charge.resource} (${charge.detail}), of at most ${most}${terms.length === 0 ? '' : `, at ${terms.join(', ')}`}. Offer and charge agree. Only the gateway states that the balance changed.`,
  );
};

const paymentHop: Check = ({ network, transaction, payer, offer: { payment } }) => {
  if (network === LEDGER_NETWORK)
    return payment !== undefined || transaction !== undefined
      ? refused('payment', 'A call that is paid from a balance has no payment, but the receipt contains one.')
      : stated(
          'payment',
          `Paid from the balance of ${payer}. The ledger of the gateway has the charge under the request's id.`,
        );
  if (payment === undefined) return refused('payment', 'The terms of the payment are missing.');
  if (payment.network !== network) return refused('payment', 'The terms and the payment are for different networks.');
  if (transaction === undefined)
    return stated('payment', `Paid by ${payer} on ${network}; the receipt contains no transaction.`);
  return unchecked(
    'payment',
    `Paid by ${payer}: ${payment.amount} units of ${payment.asset} to ${payment.payTo} on ${network}, in transaction ${transaction}. Any node of that network shows whether it exists.`,
  );
};

const chainHop: Check = ({ rpc, charge, answer: { isComplete } }, { request, answer }) => {
  if (rpc === undefined) return null;
  const { network, agreement } = rpc;
  if (charge.resource !== `rpc/${network}` && charge.nanoUsd > 0)
    return refused('chain', 'The charge is for another network.');
  if (agreement && (agreement.agreeing > agreement.asked || agreement.agreeing === 0))
    return refused('chain', 'More nodes agreed than were asked, or none did.');
  const whole = isComplete && !charge.isReplay ? answer : undefined;
  const fault = blocksFault(rpc, { method: charge.detail, request, answer: whole });
  if (fault !== null) return refused('chain', fault);
  const nodes = agreement
    ? `${agreement.agreeing} of ${agreement.asked} nodes returned this answer`
    : 'One node returned this answer';
  return stated('chain', `${nodes}, the gateway says.${blocksSentence(rpc)}`);
};

const enclaveHop: Check = ({ model, enclave, request, answer }) => {
  if (model === undefined) return null;
  if (enclave?.signature === undefined)
    return stated(
      'enclave',
      `Model ${model}. No enclave signed this exchange, so only the gateway states which program answered.`,
    );
  const { text, signature, signingAddress, algorithm } = enclave.signature;
  const exchange = {
    model,
    requestHash: request.sha256,
    responseHash: answer.sha256,
    address: signingAddress.toLowerCase(),
  };
  const fault =
    algorithm === 'ecdsa'
      ? responseSignatureFault({ text, signature }, exchange)
      : ed25519Fault({ text, signature }, exchange);
  return fault === null
    ? proven('enclave', `The key ${signingAddress} signed the hashes of this request and this answer.`)
    : refused('enclave', fault);
};

function ed25519Fault(
  signed: { text: string; signature: string },
  exchange: Parameters<typeof ed25519ResponseFault>[1],
): string | null {
  return /^[0-9a-f]{64}$/.test(exchange.address)
    ? ed25519ResponseFault(signed, exchange)
    : 'The address is not an ed25519 key.';
}

const reportHop: Check = ({ enclave }, { report: bytes }) => {
  if (enclave === undefined) return null;
  const { report, signature } = enclave;
  if (report !== undefined && report.bindsAnswer !== (signature !== undefined))
    return refused('report', 'The receipt is wrong about whether a signature binds the answer to the report.');
  const advice = 'turnpike-client verify checks the enclave of the model as it is now.';
  const bond = signature === undefined ? ' No signature binds the answer to it.' : '';
  const words =
    report === undefined
      ? null
      : `${new Date(report.fetchedAt * 1_000).toISOString()}, with the verdict ${report.verdict}.${measuredText(report.measurements)}${bond}`;
  if (bytes === undefined)
    return report === undefined
      ? stated('report', `The receipt refers to no report of the enclave with this key. ${advice}`)
      : unchecked(
          'report',
          `The gateway verified a report with SHA-256 ${report.sha256} at ${words} No file was given to compare; ${report.url} returns the report for a while. ${advice}`,
        );
  const json = jsonOf(bytes);
  if (
    signature !== undefined &&
    memberOf(json, 'signing_address').toLowerCase() !== signature.signingAddress.toLowerCase()
  )
    return refused('report', 'The report is of an enclave with another signing key.');
  if (report === undefined)
    return proven('report', 'The file is a report of the enclave with this key. Its hardware is not checked here.');
  if (digestOf(json) !== report.sha256) return refused('report', 'The file is not the report of this receipt.');
  if (canonicalJson(measurementsIn(json)) !== canonicalJson(report.measurements))
    return refused('report', 'The receipt states other measurements than its report.');
  if (memberOf(json, 'verdict') !== report.verdict)
    return refused('report', 'The receipt states another verdict than its report.');
  return proven(
    'report',
    `The file is the report that the gateway verified at ${words} Its hardware is not checked here.`,
  );
};

function memberOf(json: unknown, name: string): string {
  const member: unknown = typeof json === 'object' && json !== null ? Reflect.get(json, name) : null;
  return typeof member === 'string' ? member : '';
}

function measurementsIn(json: unknown): unknown[] {
  const enclaves: unknown = typeof json === 'object' && json !== null ? Reflect.get(json, 'enclaves') : null;
  const listed = Array.isArray(enclaves) ? (enclaves as unknown[]).slice(0, ENCLAVES_MAX) : [];
  return listed.flatMap((each) => {
    const measured: unknown = typeof each === 'object' && each !== null ? Reflect.get(each, 'measurements') : null;
    return measured === null || measured === undefined ? [] : [measured];
  });
}

function measuredText(measurements: readonly Readonly<Record<string, string | null>>[]): string {
  const [first] = measurements;
  if (first === undefined) return '';
  const registers = Object.entries(first).flatMap(([name, value]) =>
    name === 'kind' || name === 'applicationIn' || value === null ? [] : [`${name} ${value.slice(0, 16)}…`],
  );
  return ` It measured ${registers.join(', ')}${measurements.length > 1 ? `, and ${measurements.length - 1} more` : ''}.`;
}

function isSame(bytes: Uint8Array, hashed: { sha256: string; bytes: number }): boolean {
  return bytes.byteLength === hashed.bytes && bytesToHex(sha256(bytes)) === hashed.sha256;
}

function digestOf(json: unknown): string | null {
  try {
    return bytesToHex(sha256(new TextEncoder().encode(canonicalJson(json))));
  } catch {
    return null;
  }
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown;
  } catch {
    return null;
  }
}

function usd(nanoUsd: number): string {
  return `${formatUsd(nanoUsd, NANO_DECIMALS)} USD`;
}

const proven = (hop: ReceiptHopName, text: string): ReceiptHop => ({ hop, outcome: 'proven', text });
const stated = (hop: ReceiptHopName, text: string): ReceiptHop => ({ hop, outcome: 'stated', text });
const unchecked = (hop: ReceiptHopName, text: string): ReceiptHop => ({ hop, outcome: 'unchecked', text });
const refused = (hop: ReceiptHopName, text: string): ReceiptHop => ({ hop, outcome: 'refused', text });
