import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { base64 } from '@scure/base';
import type { EnclaveCheckId } from '../enclave-checks';
import type { RecordedResponse } from '../recording/recording';
import type { OtherRequest, Recording } from './verify-recording';

/** Mutation of a recording that the verifier must refuse. */
interface ReportMutation {
  name: string;
  responses: readonly RecordedResponse[];
  request?: OtherRequest;
  /** Checks of which at least one must fail. `report-format` is a check of the whole report. */
  caughtBy: readonly EnclaveCheckId[];
  /** True if the mutation only makes an instance incomplete, so that the verifier may select another instance. */
  isPassedOver?: boolean;
}

type Json = Record<string, unknown>;

/** Locates the enclave to mutate, its quote and its GPU evidence in reports of one form. */
interface ReportShape {
  enclave: (json: Json) => Json;
  quote: 'quote' | 'intel_quote';
  /** Access to the enclave's GPU evidence; null if the form has none. */
  gpus: { read: (enclave: Json) => Json[]; write: (enclave: Json, gpus: Json[]) => void } | null;
}

const payloadGpus: ReportShape['gpus'] = {
  read: (enclave) => (JSON.parse(enclave['nvidia_payload'] as string) as { evidence_list: Json[] }).evidence_list,
  write: (enclave, gpus) =>
    (enclave['nvidia_payload'] = JSON.stringify({
      ...(JSON.parse(enclave['nvidia_payload'] as string) as Json),
      evidence_list: gpus,
    })),
};
const listedGpus: ReportShape['gpus'] = {
  read: (enclave) => enclave['gpu_evidence'] as Json[],
  write: (enclave, gpus) => (enclave['gpu_evidence'] = gpus),
};
const first = (name: string) => (json: Json) => (json[name] as Json[])[0] as Json;

/** Shapes by the first part of a recording's name. */
export const SHAPES: Readonly<Record<string, ReportShape>> = {
  venice: { enclave: (json) => json, quote: 'intel_quote', gpus: payloadGpus },
  neardirect: { enclave: (json) => json, quote: 'intel_quote', gpus: payloadGpus },
  nearcloud: { enclave: first('model_attestations'), quote: 'intel_quote', gpus: payloadGpus },
  chutes: { enclave: first('evidence'), quote: 'quote', gpus: listedGpus },
  phalacloud: { enclave: first('all_attestations'), quote: 'intel_quote', gpus: listedGpus },
};

const HARDWARE: readonly EnclaveCheckId[] = ['quote-format', 'certificate-chain', 'quoting-enclave', 'quote-signature'];

/**
 * Returns all mutations that apply to a recording.
 *
 * @param other recording of another machine
 */
export function mutationsOf(
  recording: Recording,
  shape: ReportShape,
  other: { recording: Recording; shape: ReportShape },
): ReportMutation[] {
  const matter = new Matter(recording, shape);
  return [
    ...flippedBits(matter),
    ...otherQuotes(matter, other),
    ...otherGpus(matter, other),
    ...otherDocuments(matter),
    ...otherQuestions(matter),
    ...otherParts(matter),
    ...beyondBounds(matter),
  ];
}

class Matter {
  readonly report: Json;
  readonly #index: number;

  constructor(
    readonly recording: Recording,
    readonly shape: ReportShape,
  ) {
    this.#index = reportIndex(recording, shape);
    this.report = parsed(this.recording.responses[this.#index]?.body ?? null) as Json;
  }

  get enclave(): Json {
    return this.shape.enclave(this.report);
  }

  get quoteBytes(): Uint8Array {
    return decoded(this.enclave[this.shape.quote] as string);
  }

  report_(name: string, change: (report: Json) => void, caughtBy: readonly EnclaveCheckId[]): ReportMutation {
    const report = structuredClone(this.report);
    change(report);
    return this.body(name, this.#index, new TextEncoder().encode(JSON.stringify(report)), caughtBy);
  }

  changed(name: string, change: (enclave: Json) => void, caughtBy: readonly EnclaveCheckId[]): ReportMutation {
    return this.report_(name, (report) => change(this.shape.enclave(report)), caughtBy);
  }

  quote(name: string, bytes: Uint8Array, caughtBy: readonly EnclaveCheckId[] = HARDWARE): ReportMutation {
    return this.changed(
      name,
      (enclave) => (enclave[this.shape.quote] = encodedLike(enclave[this.shape.quote] as string, bytes)),
      caughtBy,
    );
  }

  body(name: string, index: number, body: Uint8Array | null, caughtBy: readonly EnclaveCheckId[]): ReportMutation {
    return {
      name,
      responses: this.recording.responses.map((response, each) => (each === index ? { ...response, body } : response)),
      caughtBy,
    };
  }

  /** Changes every answer of a service, because a recording may have several. */
  service(
    name: string,
    url: RegExp,
    change: (response: RecordedResponse & { body: Uint8Array }) => Partial<RecordedResponse> | null,
    caughtBy: readonly EnclaveCheckId[],
  ): ReportMutation {
    const responses = this.recording.responses.flatMap((response) => {
      if (!url.test(response.url) || response.body === null) return [response];
      const changed = change({ ...response, body: response.body });
      return changed === null ? [] : [{ ...response, ...changed }];
    });
    return { name, responses, caughtBy };
  }
}

function flippedBits(matter: Matter): ReportMutation[] {
  const { quoteBytes } = matter;
  const chain = new TextDecoder('latin1').decode(quoteBytes).indexOf('-----BEGIN');
  const parts: [string, number][] = [
    ['version', 0],
    ['kind of key', 2],
    ['kind of hardware', 4],
    ['vendor', 20],
    ['user data', 40],
    ['security versions', 48],
    ['module', 70],
    ['signer of the module', 120],
    ['attributes of the module', 161],
    ['attributes', 169],
    ['XFAM', 178],
    ['firmware', 190],
    ['MRCONFIGID', 240],
    ['owner', 290],
    ['RTMR0', 380],
    ['RTMR1', 430],
    ['RTMR2', 480],
    ['RTMR3', 530],
    ['first half of the report data', 570],
    ['second half of the report data', 620],
    ['length of the signature', 632],
    ['signature', 640],
    ['attestation key', 710],
    ['kind of certification', 764],
    ['report of the quoting enclave', 800],
    ['key hash of the quoting enclave', 1_100],
    ['signature of that report', 1_160],
    ['auth data', 1_225],
    ['first certificate', chain + 400],
    ['second certificate', chain + 2_400],
    ['third certificate', chain + 3_200],
  ];
  return parts.map(([part, index]) =>
    matter.quote(`a flipped bit in the ${part} of the quote`, flipped(quoteBytes, index)),
  );
}

function otherQuotes(
  matter: Matter,
  { recording, shape }: { recording: Recording; shape: ReportShape },
): ReportMutation[] {
  const { quoteBytes } = matter;
  return [
    matter.quote('a quote that was cut', quoteBytes.subarray(0, 2_000)),
    matter.quote('another byte than zero after the quote', Uint8Array.from([...quoteBytes, 0, 1])),
    matter.quote('a debug bit that nobody signed', flipped(quoteBytes, 168, 0), ['debug-off']),
    matter.quote('the quote of another machine', new Matter(recording, shape).quoteBytes, ['nonce', 'signing-key']),
    {
      ...matter.changed('no quote', (enclave) => delete enclave[matter.shape.quote], ['quote-format', 'report-format']),
      isPassedOver: 'instance_id' in matter.enclave,
    },
    matter.changed('a quote that is no text', (enclave) => (enclave[matter.shape.quote] = 7), [
      'quote-format',
      'report-format',
    ]),
  ];
}

function otherGpus(matter: Matter, other: { recording: Recording; shape: ReportShape }): ReportMutation[] {
  const { gpus } = matter.shape;
  const foreign = other.shape.gpus?.read(new Matter(other.recording, other.shape).enclave);
  if (gpus === null || foreign === undefined) return [];
  const with_ = (
    name: string,
    change: (list: Json[]) => Json[],
    caughtBy: readonly EnclaveCheckId[] = ['gpu-evidence'],
  ) => matter.changed(name, (enclave) => gpus.write(enclave, change(gpus.read(enclave))), caughtBy);
  const touched = (member: 'certificate' | 'evidence', index: number) => (list: Json[]) =>
    list.map((gpu, each) =>
      each === 0 ? { ...gpu, [member]: base64.encode(flipped(base64.decode(gpu[member] as string), index)) } : gpu,
    );
  return [
    with_('a flipped bit in the nonce of a GPU', touched('evidence', 10)),
    with_('a flipped bit in the measurements of a GPU', touched('evidence', 200)),
    with_('a flipped bit in the signature of a GPU', (list) =>
      touched('evidence', base64.decode(list[0]?.['evidence'] as string).length - 10)(list),
    ),
    with_('a flipped bit in the certificate of a GPU', touched('certificate', 300)),
    with_('a flipped bit in the authority of a GPU', touched('certificate', 2_000)),
    with_('GPU evidence of another machine', () => foreign),
    with_('one GPU of another machine', (list) => [...list.slice(1), foreign[0] as Json]),
    with_('the evidence of one GPU twice', (list) => [...list.slice(1), list[1] as Json]),
    with_('a GPU fewer than NVIDIA was asked about', (list) => list.slice(1), ['gpu']),
    with_('evidence of no GPU', () => []),
    with_('100 GPUs', (list) => Array<Json>(100).fill(list[0] as Json)),
  ];
}

function otherDocuments(matter: Matter): ReportMutation[] {
  const text =
    (change: (text: string) => string) =>
    ({ body }: { body: Uint8Array }) => ({ body: new TextEncoder().encode(change(new TextDecoder().decode(body))) });
  const bit =
    (index: number) =>
    ({ body }: { body: Uint8Array }) => ({ body: flipped(body, index < 0 ? body.length + index : index) });
  const chain = ({ headers }: RecordedResponse) => ({
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        name.includes('chain') ? otherCharacter(value, 300) : value,
      ]),
    ),
  });
  const pem = (from: string) => (headers: RecordedResponse) => ({
    headers: Object.fromEntries(
      Object.entries(headers.headers).map(([name, value]) => [name, name.includes('chain') ? from : value]),
    ),
  });
  return [
    matter.service(
      'a level in the TCB info changed',
      /\/tcb\?/,
      text((body) => body.replace('"svn":3', '"svn":2')),
      ['tcb-info'],
    ),
    matter.service(
      'a status in the TCB info changed',
      /\/tcb\?/,
      text((body) => body.replace('OutOfDate', 'UpToDate')),
      ['tcb-info'],
    ),
    matter.service(
      'a later end of the TCB info',
      /\/tcb\?/,
      text((body) => body.replace(/"nextUpdate":"20/, '"nextUpdate":"21')),
      ['tcb-info'],
    ),
    matter.service(
      'another signature of the TCB info',
      /\/tcb\?/,
      text((body) => body.replace(/"signature":"../, '"signature":"00')),
      ['tcb-info'],
    ),
    matter.service('a changed character in the chain of the TCB info', /\/tcb\?/, chain, [
      'tcb-info',
      'certificate-validity',
    ]),
    matter.service('no chain of the TCB info', /\/tcb\?/, pem(''), ['tcb-info', 'certificate-validity']),
    matter.service('no TCB info', /\/tcb\?/, () => null, ['tcb-info']),
    matter.service(
      'another signer of the quoting enclave',
      /qe\/identity/,
      text((body) => body.replace('DC9E', 'DC9F')),
      ['qe-identity'],
    ),
    matter.service(
      'another signature of the QE identity',
      /qe\/identity/,
      text((body) => body.replace(/"signature":"../, '"signature":"00')),
      ['qe-identity'],
    ),
    matter.service('a changed character in the chain of the QE identity', /qe\/identity/, chain, ['qe-identity']),
    matter.service('a flipped bit in the list of processors', /pckcrl/, bit(200), ['revocation']),
    matter.service('a flipped bit in the signature of that list', /pckcrl/, bit(-5), ['revocation']),
    matter.service('a changed character in the chain of that list', /pckcrl/, chain, ['revocation']),
    matter.service('a flipped bit in the list of the root', /IntelSGXRootCA/, bit(100), ['revocation']),
    matter.service('a flipped bit in the signature of the list of the root', /IntelSGXRootCA/, bit(-5), ['revocation']),
    matter.service('no list of the root', /IntelSGXRootCA/, () => null, ['revocation']),
    matter.service(
      'a flipped bit in what NVIDIA signed',
      /attest\/gpu/,
      text((body) => otherCharacter(body, 300)),
      ['gpu'],
    ),
    matter.service(
      'the token of a GPU exchanged',
      /attest\/gpu/,
      text((body) => body.replace('"GPU-0"', '"GPU-9"')),
      ['gpu'],
    ),
    matter.service(
      'keys of NVIDIA under another certificate',
      /jwks/,
      text((body) => body.replaceAll('"x5c":["MIID', '"x5c":["MIIE')),
      ['gpu'],
    ),
  ];
}

function otherQuestions({ recording: { responses, manifest } }: Matter): ReportMutation[] {
  const day = 86_400_000;
  return [
    { name: 'another nonce', responses, request: { nonce: 'ab'.repeat(32) }, caughtBy: ['nonce'] },
    {
      name: 'a nonce that differs in one bit',
      responses,
      request: { nonce: bytesToHex(flipped(hexToBytes(manifest.nonce ?? ''), 31)) },
      caughtBy: ['nonce'],
    },
    {
      name: 'collateral that expired',
      responses,
      request: { atMs: manifest.capturedAtMs + 40 * day },
      caughtBy: ['tcb-info'],
    },
    {
      name: 'collateral of the future',
      responses,
      request: { atMs: manifest.capturedAtMs - 40 * day },
      caughtBy: ['tcb-info'],
    },
    {
      name: 'a time after every certificate',
      responses,
      request: { atMs: Date.UTC(2060, 0, 1) },
      caughtBy: ['certificate-validity'],
    },
  ];
}

/** Mutations of members that only some forms have. */
function otherParts(matter: Matter): ReportMutation[] {
  const { enclave, report } = matter;
  const mutations: ReportMutation[] = [];
  const add = (member: string, name: string, change: (enclave: Json) => void, caughtBy: readonly EnclaveCheckId[]) =>
    member in enclave && mutations.push(matter.changed(name, change, caughtBy));
  add(
    'tls_cert_fingerprint',
    'the fingerprint of another certificate',
    (json) => (json['tls_cert_fingerprint'] = 'ab'.repeat(32)),
    ['signing-key'],
  );
  add('tls_cert_fingerprint', 'no fingerprint', (json) => delete json['tls_cert_fingerprint'], ['signing-key']);
  add(
    'signing_address',
    'another address',
    (json) => (json['signing_address'] = otherCharacter(String(json['signing_address']), 10)),
    ['signing-key'],
  );
  add(
    'signing_public_key',
    'another public key',
    (json) => (json['signing_public_key'] = otherCharacter(String(json['signing_public_key']), 20)),
    ['signing-key'],
  );
  add(
    'signing_address',
    'neither key nor address',
    (json) => ['signing_address', 'signing_public_key', 'signing_key'].forEach((name) => delete json[name]),
    ['signing-key'],
  );
  add(
    'event_log',
    'an event log that was cut',
    (json) => (json['event_log'] = (json['event_log'] as unknown[]).slice(0, -1)),
    ['event-log'],
  );
  add('event_log', 'events in another order', (json) => (json['event_log'] as unknown[]).reverse(), ['event-log']);
  add('info', 'another compose file', (json) => (((json['info'] as Json)['tcb_info'] as Json)['app_compose'] += ' '), [
    'compose-file',
  ]);
  add('request_nonce', 'a report that names another nonce', (json) => (json['request_nonce'] = 'ab'.repeat(32)), [
    'nonce',
  ]);
  add(
    'certificate',
    'a flipped bit in the certificate',
    (json) => (json['certificate'] = base64.encode(flipped(base64.decode(json['certificate'] as string), 700))),
    ['certificate', 'certificate-signature'],
  );
  add(
    'certificate',
    'a flipped bit in the key of the certificate',
    (json) => (json['certificate'] = base64.encode(flipped(base64.decode(json['certificate'] as string), 300))),
    ['certificate', 'certificate-signature'],
  );
  add('e2e_pubkey', 'another key', (json) => (json['e2e_pubkey'] = otherCharacter(String(json['e2e_pubkey']), 50)), [
    'signing-key',
  ]);
  if ('tls_certificate' in report)
    mutations.push(
      matter.report_(
        'a changed character in the TLS certificate',
        (json) => (json['tls_certificate'] = otherCharacter(String(json['tls_certificate']), 500)),
        ['certificate'],
      ),
    );
  const siblings = (json: Json) => (json['all_attestations'] ?? json['evidence']) as Json[] | undefined;
  if ((siblings(report)?.length ?? 0) > 2 && 'instance_id' in enclave) {
    const exchanged = (name: string) => (json: Json) => {
      const [a, , c] = siblings(json) as [Json, Json, Json];
      [a[name], c[name]] = [c[name], a[name]];
    };
    if ('e2e_pubkey' in enclave)
      mutations.push(matter.report_('keys swapped between two instances', exchanged('e2e_pubkey'), ['signing-key']));
    mutations.push(
      matter.report_('quotes swapped between two instances', exchanged(matter.shape.quote), [
        'signing-key',
        'certificate',
      ]),
    );
    mutations.push(
      matter.report_('GPU evidence swapped between two instances', exchanged('gpu_evidence'), ['gpu-evidence']),
    );
    if ('certificate' in enclave)
      mutations.push(
        matter.report_('certificates swapped between two instances', exchanged('certificate'), ['certificate']),
      );
    mutations.push(
      matter.report_(
        'an instance twice',
        (json) => siblings(json)?.push(structuredClone((siblings(json) as Json[])[0] as Json)),
        ['report-format', 'gpu-evidence', 'nonce'],
      ),
    );
  }
  const keys = matter.recording.responses.findIndex(({ url }) => /e2e\/instances/.test(url));
  if (keys >= 0) mutations.push(swappedKeys(matter, keys));
  return mutations;
}

/** Swaps the keys of the mutated instance and another instance in Chutes' list of instances. */
function swappedKeys(matter: Matter, index: number): ReportMutation {
  const json = parsed(matter.recording.responses[index]?.body ?? null) as { instances: Json[] };
  const own = json.instances.find((instance) => instance['instance_id'] === matter.enclave['instance_id']) as Json;
  const other = json.instances.find((instance) => instance !== own) as Json;
  [own['e2e_pubkey'], other['e2e_pubkey']] = [other['e2e_pubkey'], own['e2e_pubkey']];
  return matter.body('keys swapped between two instances', index, new TextEncoder().encode(JSON.stringify(json)), [
    'signing-key',
  ]);
}

function beyondBounds(matter: Matter): ReportMutation[] {
  const list =
    ['all_attestations', 'evidence', 'model_attestations'].find((name) => Array.isArray(matter.report[name])) ??
    'all_attestations';
  return [
    matter.report_('a report of 17 million characters', (report) => (report['filler'] = 'x'.repeat(17_000_000)), [
      'report-format',
    ]),
    matter.report_(
      'a report of a hundred levels',
      (report) => (report['filler'] = JSON.parse('['.repeat(100) + ']'.repeat(100)) as unknown),
      ['report-format'],
    ),
    matter.report_(
      '10,000 instances',
      (report) => (report[list] = Array(10_000).fill({ intel_quote: 'AAAA', quote: 'AAAA', instance_id: 'a' })),
      ['report-format'],
    ),
    matter.body('a body that nobody read, since it is too long', matter.recording.responses.length - 1, null, [
      'report-format',
    ]),
  ];
}

function reportIndex({ responses }: Recording, shape: ReportShape): number {
  return responses.findIndex(({ body }) => {
    const json = parsed(body);
    return json !== null && enclaveIn(json, shape) !== null;
  });
}

/** Cuts the report to its first `count` instances, because verifying all instances is slow. */
export function withInstances(recording: Recording, shape: ReportShape, count: number): Recording {
  const index = reportIndex(recording, shape);
  const report = parsed(recording.responses[index]?.body ?? null) as Json;
  const cut = Object.fromEntries(
    Object.entries(report).map(([name, value]) => [name, Array.isArray(value) ? value.slice(0, count) : value]),
  );
  const body = new TextEncoder().encode(JSON.stringify('instance_id' in shape.enclave(report) ? cut : report));
  return {
    ...recording,
    responses: recording.responses.map((response, each) => (each === index ? { ...response, body } : response)),
  };
}

function enclaveIn(json: Json, shape: ReportShape): Json | null {
  try {
    const enclave = shape.enclave(json) as Json | undefined;
    return typeof enclave?.[shape.quote] === 'string' ? enclave : null;
  } catch {
    return null;
  }
}

function parsed(body: Uint8Array | null): Json | null {
  try {
    return JSON.parse(new TextDecoder().decode(body ?? new Uint8Array())) as Json;
  } catch {
    return null;
  }
}

function flipped(bytes: Uint8Array, index: number, bit = 1): Uint8Array {
  return bytes.map((byte, each) => (each === index ? byte ^ (1 << bit) : byte));
}

/** Returns the text with one character changed. The new character is valid in hex and base64. */
function otherCharacter(text: string, index: number): string {
  return text.slice(0, index) + (text[index] === 'b' ? 'c' : 'b') + text.slice(index + 1);
}

function decoded(text: string): Uint8Array {
  return /^[0-9a-f]+$/i.test(text) ? hexToBytes(text) : base64.decode(text);
}

function encodedLike(text: string, bytes: Uint8Array): string {
  return /^[0-9a-f]+$/i.test(text) ? bytesToHex(bytes) : base64.encode(bytes);
}
