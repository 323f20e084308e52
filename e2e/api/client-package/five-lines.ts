/** A program of five lines for each subpath of turnpike-client, as its readers would begin. */
export interface FiveLines {
  subpath: string;
  /** Statements of a module that has `url` and `key` of a gateway; the last makes `answer`. */
  lines: readonly string[];
  /** What `answer` matches as JSON. */
  answers: RegExp;
}

const CUSTOMER = ["import { createTurnpike } from 'turnpike-client';", 'const turnpike = createTurnpike({ url, account: key });'];

export const FIVE_LINES: readonly FiveLines[] = [
  {
    subpath: '.',
    lines: [...CUSTOMER, "const { items } = await turnpike.rpc('ethereum-mainnet', { method: 'eth_blockNumber' });", 'export const answer = items[0]?.result;'],
    answers: /^"0x[0-9a-f]+"$/,
  },
  {
    subpath: './viem',
    lines: [
      ...CUSTOMER,
      "import { createPublicClient } from 'viem';",
      "import { turnpikeTransport } from 'turnpike-client/viem';",
      "export const answer = await createPublicClient({ transport: turnpikeTransport(turnpike, 'ethereum-mainnet') }).getChainId();",
    ],
    answers: /^1$/,
  },
  {
    subpath: './ethers',
    lines: [...CUSTOMER, "import { turnpikeProvider } from 'turnpike-client/ethers';", "const provider = turnpikeProvider(turnpike, 'ethereum-mainnet');", 'export const answer = await provider.getBlockNumber();', 'provider.destroy();'],
    answers: /^\d+$/,
  },
  {
    subpath: './solana',
    lines: [...CUSTOMER, "import { turnpikeSolanaRpc } from 'turnpike-client/solana';", 'const slot = await turnpikeSolanaRpc(turnpike).getSlot().send();', 'export const answer = Number(slot);'],
    answers: /^\d+$/,
  },
  {
    subpath: './openai',
    lines: [
      ...CUSTOMER,
      "import OpenAI from 'openai';",
      "import { openaiOptions } from 'turnpike-client/openai';",
      "const chat = await new OpenAI({ ...openaiOptions(turnpike), dangerouslyAllowBrowser: true }).chat.completions.create({ model: 'guide', messages: [{ role: 'user', content: 'How does staking work?' }] });",
      'export const answer = chat.choices[0]?.message.content;',
    ],
    answers: /stak/i,
  },
  {
    subpath: './ai-sdk',
    lines: [...CUSTOMER, "import { generateText } from 'ai';", "import { turnpikeModels } from 'turnpike-client/ai-sdk';", "export const answer = (await generateText({ model: turnpikeModels(turnpike)('guide'), prompt: 'How does staking work?' })).text;"],
    answers: /stak/i,
  },
  {
    subpath: './speech',
    lines: [
      ...CUSTOMER,
      "import { speak } from 'turnpike-client/speech';",
      "const speech = await speak(turnpike, { model: 'tts-kokoro', voice: 'af_sky', input: 'Hello.', response_format: 'mp3' });",
      'export const answer = [speech.contentType, (await speech.bytes()).length > 1_000];',
    ],
    answers: /^\["audio\/mpeg",true\]$/,
  },
  {
    subpath: './video',
    lines: [
      ...CUSTOMER,
      "import { makeVideo, videoModels } from 'turnpike-client/video';",
      'const [model] = await videoModels(turnpike);',
      "const { media } = await makeVideo(turnpike, { model: model?.id ?? '', prompt: 'A toll gate at dawn', duration: model?.durations[0] ?? '', aspect_ratio: model?.aspectRatios[0] ?? '' });",
      'export const answer = media.type;',
    ],
    answers: /^"video\/mp4"$/,
  },
];

/** The file name of a subpath's program, without an ending. */
export function programName({ subpath }: Pick<FiveLines, 'subpath'>): string {
  return subpath === '.' ? 'index' : subpath.slice(2);
}

/** A whole module: its imports first, where the gateway is, then the rest. */
export function programText({ lines }: Pick<FiveLines, 'lines'>): string {
  const imports = lines.filter((line) => line.startsWith('import '));
  return [...imports, "import { key, url } from './gateway.mjs';", ...lines.filter((line) => !imports.includes(line)), ''].join('\n');
}
