import { describe, expect, it } from 'vitest';
import { readDocuments } from './documents';
import { Guide } from './guide';
import { HEADING_SEPARATOR } from './section';
import { SectionIndex } from './section-index';

/**
 * Questions that new users ask, with the document and the last heading of the right section. The guide has no access to
 * this list and must find the sections by their words.
 */
const FIRST_QUESTIONS: [question: string, document: string, heading: string][] = [
  ['What is Turnpike?', 'README.md', 'Turnpike'],
  ['How do I start the sandbox?', 'README.md', 'Starting the sandbox'],
  ['What is x402?', 'docs/payments.md', 'What x402 is'],
  ['How do I top up?', 'docs/payments.md', 'Topping up'],
  ['How does staking work?', 'docs/staking.md', 'Staking'],
  ['How do I unstake?', 'docs/staking.md', 'Unstaking'],
  ['What is the daily allocation?', 'docs/staking.md', 'The daily allocation'],
  ['What does a verified attestation prove?', 'docs/private-inference.md', 'What an attestation proves'],
  ['What is an attestation worth?', 'docs/private-inference.md', 'What an attestation proves'],
  ['How do I verify an attestation offline?', 'docs/private-inference.md', 'Checking an attestation again'],
  ['Is my chat private?', 'docs/private-inference.md', 'How private a chat is'],
  ['Does the gateway log my chats?', 'docs/private-inference.md', 'How private a chat is'],
  ['How is a message encrypted?', 'docs/private-inference.md', 'Encryption'],
  ['How is an RPC call priced?', 'docs/rpc.md', 'What a call costs'],
  ['How much is eth_getLogs?', 'docs/rpc.md', 'What a call costs'],
  ['Which networks are supported?', 'docs/rpc.md', 'Networks'],
  ['Do you support Arbitrum?', 'docs/rpc.md', 'Networks'],
  ['What are the rate limits?', 'docs/rpc.md', 'Rate limits'],
  ['What is an Idempotency-Key?', 'docs/rpc.md', 'Repeating a call safely'],
  ['How are batches billed?', 'docs/rpc.md', 'Batches'],
  ['How do I get an API key?', 'docs/keys.md', 'Getting an API key'],
  ['How do I revoke a key?', 'docs/keys.md', 'Listing and revoking'],
  ['How do I sign in with a wallet?', 'docs/sign-in.md', 'Wallet sign-in'],
  ['How do I use viem?', 'README.md', 'viem'],
  ['How do I use ethers?', 'README.md', 'ethers 6'],
  ['How do I use the openai client?', 'README.md', 'openai'],
  ['How do I use web3.js with Solana?', 'docs/solana.md', 'Connecting'],
  ['What does a chat cost?', 'docs/inference.md', 'What a chat costs'],
  ['Which models are there?', 'docs/inference.md', 'Models'],
  ['How do I connect Ollama?', 'docs/inference.md', 'Connecting servers'],
  ['What is structured output?', 'docs/inference.md', 'Structured output'],
  ['Which audio formats are there?', 'docs/speech.md', 'Formats'],
  ['What does speech cost?', 'docs/speech.md', 'What it costs'],
  ['How do I make a video?', 'docs/questions.md', 'How do I make a video?'],
  ['What is the faucet?', 'docs/contracts.md', 'The faucet'],
  ['What happens when an upstream fails?', 'docs/upstreams.md', 'When an upstream fails'],
  ['How do I run it in production?', 'docs/operating.md', 'From the sandbox to live'],
  ['How do I use Postgres?', 'docs/operating.md', 'SQLite or Postgres'],
  ['How do I back up the database?', 'docs/operating.md', 'Backup'],
  ['How do I rotate the secret?', 'docs/operating.md', 'Rotate the secret'],
  ['How do I erase an account?', 'docs/operating.md', 'Export and erase an account'],
  ['Where is the audit log?', 'docs/operating.md', 'Audit log'],
  ['How do I run several workers?', 'docs/operating.md', 'Workers'],
  ['How do I upgrade to a new release?', 'docs/operating.md', 'Upgrading, and going back'],
  ['How do I restart a gateway without losing a call?', 'docs/operating.md', 'Restarting without losing a call'],
  ['How do I scrape metrics with Prometheus?', 'docs/operating.md', 'Metrics'],
  ['What happens if Postgres is away?', 'docs/runbook.md', 'Faults, and what comes of them'],
  ['How do I run one test?', 'docs/first-day.md', 'Run one test'],
  ['How do I find the log line of a request?', 'docs/debugging.md', 'One request'],
  ['Why was one request slow?', 'docs/debugging.md', 'Why a request was slow'],
  ['How long is my data stored?', 'docs/operating.md', 'What is stored, and for how long'],
  ['Who gains by rounding?', 'docs/architecture.md', 'Money'],
  ['What am I charged if I stop a stream?', 'docs/inference.md', 'What a chat costs'],
  ['How long does a withdrawal take?', 'docs/payments.md', 'Getting money back'],
  ['What do I have to decide before customers come?', 'docs/operating.md', 'Before customers come'],
  ['Can an upstream have a priority?', 'docs/upstreams.md', 'Which one is asked'],
  ['What does a restored backup do to a withdrawal?', 'docs/operating.md', 'Backup'],
];

/** Minimum share of questions for which the guide ranks the right section first. */
const FIRST_PLACES_MIN = 0.9;

describe('first questions', () => {
  const sections = readDocuments(process.cwd());
  const index = new SectionIndex(sections);
  const guide = new Guide(sections);
  const found = (question: string, limit: number) =>
    index
      .find(question, limit)
      .map(({ section }) => `${section.document}: ${section.heading.split(HEADING_SEPARATOR).at(-1)}`);

  it.each(FIRST_QUESTIONS)('"%s" finds its section in %s among the first three', (question, document, heading) => {
    expect(found(question, 3)).toContain(`${document}: ${heading}`);
  });

  it('find it in the first place, but for a few', () => {
    const missed = FIRST_QUESTIONS.filter(
      ([question, document, heading]) => found(question, 1)[0] !== `${document}: ${heading}`,
    ).map(([question]) => [question, ...found(question, 3)]);
    expect(missed.length, JSON.stringify(missed, null, 1)).toBeLessThanOrEqual(
      (1 - FIRST_PLACES_MIN) * FIRST_QUESTIONS.length,
    );
  });

  it.each(FIRST_QUESTIONS)('"%s" is answered shortly, in the words of the documentation, with its name', (question) => {
    const { text, passage } = guide.answer(question);
    const [best] = index.find(question, 1);
    expect(text.length).toBeLessThan(2_000);
    expect(text).toContain(`**${best?.section.document}: `);
    const wordsOf = (markdown: string) => markdown.replace(/\]\([^)]*\)/g, '').match(/[\p{L}\p{N}]+/gu) ?? [];
    const document = new Set(wordsOf(best?.section.text ?? ''));
    expect(wordsOf(passage).filter((word) => !document.has(word))).toEqual([]);
  });
});
