import { limitNamesFor, type Oddities, odditiesAfter, type Oddity } from '../../upstreams/models/server-oddities';
import { ask, NoAnswer } from './ask';
import { type Finding, ok, warning } from './finding';

interface ChatServer {
  subject: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  isEnclave: boolean;
  /** One of the server's models; null if none is known. */
  model: string | null;
}

const ATTEMPTS_MAX = 4;

const SENTENCES: Readonly<Record<Oddity, string>> = {
  'two-limits':
    'The server refuses max_tokens together with max_completion_tokens. The gateway sends it only the one that the caller sent.',
  max_tokens: 'The server does not support max_tokens. The gateway sends it max_completion_tokens instead.',
  max_completion_tokens: 'The server does not support max_completion_tokens. The gateway sends it max_tokens instead.',
  images: 'The server accepts no pictures. The gateway sends it a line of text instead.',
  files: 'The server accepts no files. The gateway sends it a line of text instead.',
  stream_options:
    'The server refuses stream_options. The gateway leaves them out, and estimates the tokens of a stream that reports no usage.',
};

/**
 * Checks how a chat server differs from other chat servers. Asks an enclave's server for its protocols,
 * and any other server for one token.
 */
export async function lookAtChats(server: ChatServer, timeoutMs: number): Promise<Finding[]> {
  try {
    return server.isEnclave ? await lookAtProtocols(server, timeoutMs) : await lookAtRefusals(server, timeoutMs);
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    return [];
  }
}

async function lookAtRefusals({ subject, url, headers, model }: ChatServer, timeoutMs: number): Promise<Finding[]> {
  if (model === null) return [];
  let known: Oddities = new Set();
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const request = { model, messages: [{ role: 'user', content: 'Hi' }], max_tokens: 1 };
    const limits = limitNamesFor(request, false, known);
    const body = {
      model,
      messages: request.messages,
      stream: true,
      ...Object.fromEntries(limits.map((name) => [name, 1])),
      ...(!known.has('stream_options') && { stream_options: { include_usage: true } }),
    };
    const { status, json } = await ask({ url: `${url}/chat/completions`, headers, body, timeoutMs });
    if (status === 200) return [...known].map((oddity) => ok(subject, SENTENCES[oddity]));
    const next = odditiesAfter({ status, headers: {}, body: Buffer.from(JSON.stringify(json ?? null)) }, known, {
      limits,
      streamOptions: !known.has('stream_options'),
      attachments: new Set(),
    });
    if (next === null) return [];
    known = next;
  }
  return [];
}

/** Warns of ACI, the newer protocol of RedPill and Phala, which the gateway does not support. */
async function lookAtProtocols({ subject, url, headers }: ChatServer, timeoutMs: number): Promise<Finding[]> {
  const { status, json } = await ask({ url: `${url}/aci/attestation?nonce=${'0'.repeat(64)}`, headers, timeoutMs });
  if (status !== 200 || typeof json !== 'object' || json === null) return [];
  return [
    warning(
      subject,
      'The server also offers ACI (/aci/attestation, encryption version 2), which the gateway does not support. The gateway attests its models with /attestation/report.',
      'Do nothing, unless the models have no other report. docs/private-inference.md lists the supported families.',
    ),
  ];
}
