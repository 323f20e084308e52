import { limitNamesFor } from '../../upstreams/models/forwarded-limits';
import { type Oddities, odditiesAfter, type Oddity } from '../../upstreams/models/server-oddities';
import { ask, NoAnswer } from './ask';
import { type Finding, ok, warning } from './finding';

interface ChatServer {
  subject: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  isEnclave: boolean;
  /** One of its models; null where none is known. */
  model: string | null;
}

const ATTEMPTS_MAX = 4;

/** What a gateway does about each. */
const SENTENCES: Readonly<Record<Oddity, string>> = {
  'two-limits': 'It refuses max_tokens beside max_completion_tokens: it is sent the one that the caller wrote.',
  max_tokens: 'It does not know max_tokens: it is sent max_completion_tokens in its place.',
  max_completion_tokens: 'It does not know max_completion_tokens: it is sent max_tokens in its place.',
  images: 'It takes no pictures: a line of text is sent in their place.',
  files: 'It takes no files: a line of text is sent in their place.',
  stream_options:
    'It refuses stream_options: they are left out, and the tokens of its streams are estimated where it does not count by itself.',
};

/** Looks how a server of chats differs from others: a plain one by asking a model for one token, an enclave's by its protocols. */
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
    const question = { model, messages: [{ role: 'user', content: 'Hi' }], max_tokens: 1 };
    const limits = limitNamesFor(question, false, known);
    const body = {
      model,
      messages: question.messages,
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

/** RedPill's and Phala's newer protocol (ACI) is none that is known here. */
async function lookAtProtocols({ subject, url, headers }: ChatServer, timeoutMs: number): Promise<Finding[]> {
  const { status, json } = await ask({ url: `${url}/aci/attestation?nonce=${'0'.repeat(64)}`, headers, timeoutMs });
  if (status !== 200 || typeof json !== 'object' || json === null) return [];
  return [
    warning(
      subject,
      'It also speaks ACI (/aci/attestation, encryption version 2), which is not supported: its models are attested by /attestation/report, where they have one.',
      'Nothing, unless its models have no other report: docs/private-inference.md names the families that are known.',
    ),
  ];
}
