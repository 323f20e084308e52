import type { Alteration, UpstreamKind, UpstreamLie } from './upstream-lie';

const MODEL = 'liar';
const SAMPLES = Buffer.alloc(4_800);
/**
 * Maximum number of chunks. The rest of the body is one chunk. More chunks would block this program, which also
 * measures the latency of other callers.
 */
const CHUNKS_MAX = 8_000;

const END_OF_LINE = Buffer.from('\r\n');

/** Returns an upstream's honest answer. @param id id of the JSON-RPC request, as received */
export function honest(kind: UpstreamKind, id: string): { type: string; body: Buffer } {
  switch (kind) {
    case 'node':
      return { type: 'application/json', body: Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":"0x14d5c3f"}`) };
    case 'chat':
      return json({
        id: 'chatcmpl-1',
        object: 'chat.completion',
        created: 1,
        model: MODEL,
        choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 },
      });
    case 'stream':
      return {
        type: 'text/event-stream',
        body: Buffer.from(
          `${event({ role: 'assistant', content: 'Hel' })}${event({ content: 'lo.' })}${event({}, 'stop')}data: [DONE]\n\n`,
        ),
      };
    case 'speech':
      return { type: 'audio/wav', body: wav(SAMPLES) };
    case 'attestation':
      return json({
        verified: true,
        nonce: 'ab'.repeat(32),
        model: MODEL,
        intel_quote: '04'.repeat(700),
        nvidia_payload: '{"arch":"HOPPER","evidence_list":[]}',
        signing_address: `0x${'a'.repeat(40)}`,
        info: { tcb_info: '{}' },
      });
  }
}

export function altered(body: Buffer, alteration: Alteration): Buffer {
  switch (alteration.kind) {
    case 'none':
      return body;
    case 'member':
      return memberOf(body, alteration.name, alteration.value);
    case 'json':
      return Buffer.from(JSON.stringify(alteration.value) ?? '');
    case 'bytes':
      return Buffer.from(alteration.bytes);
    case 'repeated': {
      const from = Math.floor(body.length * alteration.share);
      return Buffer.concat([body, ...Array.from({ length: alteration.times }, () => body.subarray(from))]);
    }
    case 'truncated':
      return body.subarray(0, Math.floor(body.length * alteration.share));
    case 'nested':
      return Buffer.from(`${'['.repeat(alteration.depth)}${']'.repeat(alteration.depth)}`);
    case 'large':
      return Buffer.concat([
        body.subarray(0, body.length - 1),
        Buffer.alloc(alteration.bytes, 0x20),
        body.subarray(body.length - 1),
      ]);
  }
}

/** Serializes an answer, even if it violates HTTP. @returns the head, and the body with its framing */
export function onTheWire(lie: UpstreamLie, type: string, body: Buffer): { head: Buffer; framed: Buffer } {
  const lines = [
    ...(lie.headers.some(([name]) => name === 'content-type') ? [] : [['content-type', type] as const]),
    ...lie.headers,
  ].map(([name, value]) => `${name}: ${value}\r\n`);
  const interim = 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'.repeat(lie.interim);
  const head = `${interim}HTTP/1.1 ${lie.status} Any\r\n${lines.join('')}${framingOf(lie, body.length)}\r\n`;
  return { head: Buffer.from(head, 'latin1'), framed: lie.length.startsWith('chunked') ? chunked(lie, body) : body };
}

function framingOf({ length }: UpstreamLie, bytes: number): string {
  switch (length) {
    case 'true':
      return `content-length: ${bytes}\r\n`;
    case 'too long':
      return `content-length: ${bytes + 40_000_000}\r\n`;
    case 'too short':
      return `content-length: ${Math.floor(bytes / 2)}\r\n`;
    case 'none':
      return '';
    case 'no number':
      return `content-length: -${bytes}\r\n`;
    case 'twice':
      return `content-length: ${bytes}\r\ncontent-length: ${bytes + 1}\r\n`;
    case 'chunked and true':
      return `content-length: ${bytes}\r\ntransfer-encoding: chunked\r\n`;
    default:
      return 'transfer-encoding: chunked\r\n';
  }
}

function chunked({ chunkBytes, extensionBytes, length, trailers }: UpstreamLie, body: Buffer): Buffer {
  const extension = extensionBytes > 0 ? `;${'x'.repeat(extensionBytes)}` : '';
  const pieces: Buffer[] = [];
  for (let at = 0; at < body.length;) {
    const piece = pieces.length < 3 * CHUNKS_MAX ? body.subarray(at, at + chunkBytes) : body.subarray(at);
    pieces.push(Buffer.from(`${piece.length.toString(16)}${at === 0 ? extension : ''}\r\n`), piece, END_OF_LINE);
    at += piece.length;
  }
  if (length !== 'chunked without end') pieces.push(Buffer.from(`0\r\n${'x-odd: 1\r\n'.repeat(trailers)}\r\n`));
  return Buffer.concat(pieces);
}

/**
 * Adds a member to the top-level object. If the body is an event stream, puts an event with the member before it.
 * Replaces any other body with an object that has the member.
 */
function memberOf(body: Buffer, name: string, value: unknown): Buffer {
  const member = `${JSON.stringify(name)}:${JSON.stringify(value) ?? 'null'}`;
  const text = body.toString('latin1');
  if (text.startsWith('data: ')) return Buffer.from(`data: {${member}}\n\n${text}`, 'latin1');
  if (!text.startsWith('{')) return Buffer.from(`{${member}}`);
  const { [name]: _replaced, ...others } = JSON.parse(text) as Record<string, unknown>;
  return Buffer.from(`${JSON.stringify(others).slice(0, -1)}${Object.keys(others).length > 0 ? ',' : ''}${member}}`);
}

function json(value: unknown): { type: string; body: Buffer } {
  return { type: 'application/json', body: Buffer.from(JSON.stringify(value)) };
}

function event(delta: object, finish: string | null = null): string {
  return `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: MODEL, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
}

/** Writes a WAV file with 16 bits, 24 kHz, mono. */
function wav(samples: Buffer): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(24_000, 24);
  head.writeUInt32LE(48_000, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}
