import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { consolePageOf } from './console-page';
import { readDocuments } from './documents';
import { Guide } from './guide';

const QUESTIONS = 'docs/questions.md';

/** Questions that new users ask, with the section that answers each, and the console page where the task is done. */
const NEWCOMERS: [question: string, document: string, heading: string, page: string][] = [
  ['What is this?', QUESTIONS, 'What is this?', '/'],
  ['hello', QUESTIONS, 'What is this?', '/'],
  ['What can I do here?', QUESTIONS, 'What can I do here?', '/'],
  ['What is Turnpike?', 'README.md', 'Turnpike', '/'],
  ['How do I start?', QUESTIONS, 'How do I get started?', '/'],
  ['Do I have to register for an account?', QUESTIONS, 'Do I need an account?', '/'],
  ['How do I log in?', QUESTIONS, 'How do I sign in or log in?', '/'],
  ['I have no wallet. Can I try it?', QUESTIONS, 'Do I need a wallet?', '/'],
  ['Does MetaMask work?', QUESTIONS, 'Which wallets can I use?', '/'],
  ['Is it safe to connect my wallet?', QUESTIONS, 'Is it safe to connect my wallet?', '/'],
  ['Is this real money?', QUESTIONS, 'Is the money real?', '/'],
  ['Are you an AI?', QUESTIONS, 'Who are you?', '/'],
  ['Can I run it myself?', QUESTIONS, 'Can I run it myself?', '/'],
  ['How do I pay?', QUESTIONS, 'How do I pay?', '/top-up'],
  ['Which coins can I pay with?', QUESTIONS, 'Which coins and tokens can I pay with?', '/top-up'],
  ['Can I pay by credit card?', QUESTIONS, 'Which coins and tokens can I pay with?', '/top-up'],
  ['How can I add some money?', QUESTIONS, 'How do I add money?', '/top-up'],
  ['How long does a top-up take?', QUESTIONS, 'How long does a top-up take?', '/top-up'],
  ['What is x402?', 'docs/payments.md', 'What x402 is', '/top-up'],
  ['How do I get a refund?', QUESTIONS, 'Can I get my money back, or a refund?', '/top-up'],
  ['What happens if my balance is empty?', QUESTIONS, 'What happens when my balance runs out?', '/top-up'],
  ['What does error 402 mean?', QUESTIONS, 'What does 402 mean?', '/top-up'],
  ['How does staking work here?', 'docs/staking.md', 'Staking', '/keys'],
  ['What is TOLL?', QUESTIONS, 'What are TPK and TOLL?', '/keys'],
  ['How much must I stake?', QUESTIONS, 'How much do I have to stake?', '/keys'],
  ['How do I get my tokens back?', QUESTIONS, 'How do I get my stake back?', '/keys'],
  ['What is the daily allocation?', 'docs/staking.md', 'The daily allocation', '/keys'],
  ['How do I get an API key?', 'docs/keys.md', 'Getting an API key', '/keys'],
  ['Somebody stole my key, what now?', QUESTIONS, 'I lost my key. What now?', '/keys'],
  ['Can I set a spending limit for a key?', QUESTIONS, 'Can I limit what a key may spend?', '/keys'],
  ['What does it cost?', QUESTIONS, 'How much does it cost?', '/reference'],
  ['How much is it?', QUESTIONS, 'How much does it cost?', '/reference'],
  ['Is it free?', QUESTIONS, 'Is it free?', '/reference'],
  ['Do you have a monthly subscription?', QUESTIONS, 'Is it free?', '/reference'],
  ['How much have I spent?', QUESTIONS, 'How do I see what I have spent?', '/usage'],
  ['Where is my balance?', QUESTIONS, 'What is my balance?', '/usage'],
  ['Do I pay when a call fails?', QUESTIONS, 'Do I pay for failed calls?', '/usage'],
  ['Why did my call fail?', QUESTIONS, 'Why did my call fail?', '/usage'],
  ['How do I make my first request?', QUESTIONS, 'How do I make my first call?', '/rpc'],
  ['Which blockchains can I use?', QUESTIONS, 'Which blockchains are there?', '/rpc'],
  ['Do you support Bitcoin?', QUESTIONS, 'Which blockchains are there?', '/rpc'],
  ['How many requests can I send?', QUESTIONS, 'How many requests can I send?', '/rpc'],
  ['Can you see what I write?', QUESTIONS, 'Can you see or read my chats?', '/chat'],
  ['Who reads my messages?', QUESTIONS, 'Can you see or read my chats?', '/chat'],
  ['Do you store my prompts?', QUESTIONS, 'Do you keep my prompts?', '/chat'],
  ['What is an enclave?', QUESTIONS, 'What is an enclave?', '/chat'],
  ['Which models do you have?', 'docs/inference.md', 'Models', '/chat'],
  ['How do I create a video?', QUESTIONS, 'How do I make a video?', '/video'],
  ['Can you read a text aloud?', QUESTIONS, 'How do I turn text into speech?', '/speech'],
  ['Can I make pictures?', 'docs/images.md', 'Images', '/reference'],
  ['How do I call it from Python?', QUESTIONS, 'How do I use it from code?', '/reference'],
  ['Can I use it with Claude Code?', 'docs/agents.md', 'Coding agents and SDKs', '/reference'],
  ['Where do I get help?', QUESTIONS, 'Where do I get help?', '/reference'],
];

const UNKNOWN = [
  'What is the weather in Paris?',
  'Who won the world cup in 1998?',
  'Write a poem about the stars',
  'How do I bake bread?',
  'Recommend a good restaurant in Berlin',
  'Translate this sentence into German',
  'How do I lose weight?',
  'How old is the president?',
  'zanzibar-7f3a9c',
];

describe('the questions of newcomers', () => {
  const sections = readDocuments(process.cwd());
  const guide = new Guide(sections);

  it('are answered with links to pages that the console has, each by its own title', () => {
    const pages = readFileSync('lib/browser/page/console-pages.ts', 'utf8');
    const linked = new Map(
      sections.map(consolePageOf).flatMap((page) => (page === null ? [] : [[page.href, page.title]])),
    );
    expect(linked.size).toBe(pages.match(/href: '/g)?.length);
    for (const [href, title] of linked) expect(pages).toContain(`{ href: '${href}', title: '${title}'`);
  });

  it.each(NEWCOMERS)('"%s" is answered from %s: %s, with a link to %s', (question, document, heading, page) => {
    const { text, isFound } = guide.answer(question);
    expect(isFound).toBe(true);
    expect(text.split('\n')[0]).toMatch(nameEnding(document, heading));
    expect(text).toContain(`](${page}).`);
  });

  it.each(UNKNOWN)('"%s" is nothing that the guide knows', (question) => {
    expect(guide.answer(question)).toMatchObject({ isFound: false, text: expect.stringMatching(/^I do not know\./) });
  });

  it.each([
    ['How do I top up with USDC? zanzibar-7f3a9c', 'Topping up'],
    ['What is staking, Qwfpgj?', 'Staking'],
    ['My frobnicator wants an API key', 'Getting an API key'],
  ])('"%s" is answered in spite of its strange words', (question, heading) => {
    expect(guide.answer(question).text.split('\n')[0]).toContain(heading);
  });
});

function nameEnding(document: string, heading: string): RegExp {
  const escaped = [document, heading].map((part) => part.replace(/[.?*+()[\]]/g, '\\$&'));
  return new RegExp(`^\\*\\*${escaped[0]}: (?:.* › )?${escaped[1]}\\*\\*$`);
}
