import { HEADING_SEPARATOR, type Section } from './section';

/** Document whose second-level headings are the titles of the console's pages. */
export const NEWCOMERS_DOCUMENT = 'docs/questions.md';

interface ConsolePage {
  title: string;
  href: string;
}

const TITLES = new Map([
  ['Overview', '/'],
  ['Keys & staking', '/keys'],
  ['Top up', '/top-up'],
  ['RPC', '/rpc'],
  ['Chat', '/chat'],
  ['Speech', '/speech'],
  ['Video', '/video'],
  ['Usage', '/usage'],
  ['Verify a receipt', '/receipts'],
  ['API reference', '/reference'],
]);

const DOCUMENT_TITLES = Object.entries({
  Overview: ['README.md'],
  'Keys & staking': ['docs/keys.md', 'docs/staking.md', 'docs/contracts.md'],
  'Top up': ['docs/payments.md', 'docs/paying.md', 'docs/sign-in.md'],
  RPC: ['docs/rpc.md', 'docs/solana.md', 'docs/upstreams.md'],
  Chat: ['docs/inference.md', 'docs/private-inference.md'],
  Speech: ['docs/speech.md'],
  Video: ['docs/video.md'],
  'Verify a receipt': ['docs/receipts.md'],
  'API reference': [
    'docs/agents.md',
    'docs/client.md',
    'docs/client-errors.md',
    'docs/discovery.md',
    'docs/embeddings.md',
    'docs/images.md',
    'docs/mcp.md',
    'docs/transcriptions.md',
    'API reference',
  ],
});

/** Returns the page where a person does what the section describes; null if the console has none. */
export function consolePageOf({ document, heading }: Section): ConsolePage | null {
  const title =
    document === NEWCOMERS_DOCUMENT
      ? heading.split(HEADING_SEPARATOR)[1]
      : DOCUMENT_TITLES.find(([, documents]) => documents.includes(document))?.[0];
  const href = title === undefined ? undefined : TITLES.get(title);
  return title === undefined || href === undefined ? null : { title, href };
}
