import fc from 'fast-check';
import { SANDBOX_CONTRACTS } from '@/lib/protocol/sandbox-contracts';

/** Placeholder for the trap's origin, which is known only when an answer is sent. */
export const TRAP = 'http://trap.invalid';

/**
 * Terminal control sequences (CSI, OSC, C1, NUL), and characters that change how a line reads (line and direction
 * marks).
 */
const CONTROL_TEXTS = [
  '\u001b[2J\u001b[1;1H',
  '\u001b]0;owned\u0007',
  '\u001b]8;;http://trap.invalid\u0007x\u001b]8;;\u0007',
  '\u009b31mred',
  '\u0090x\u009c',
  'a\rb',
  'two\nlines',
  'a\tb',
  '\u0000',
  '\u0008\u0008\u0008',
  '\u007f',
  '\u202egnp.exe',
  '\u2066x\u2069',
  '\u2028',
  '\u200b\ufeff',
  '\ud800',
];
const PATHS = [
  '../../../escaped',
  'mp3/../../escaped',
  '/tmp/escaped',
  'x/../../../../etc/cron.d/x',
  '..\\..\\escaped',
  'C:\\escaped',
  '\\\\host\\share',
  'a\0b',
  '%2e%2e%2fescaped',
  '~/.ssh/authorized_keys',
  '.',
  '..',
  '',
  'link/escaped',
  'wav',
  'con',
  'mp3;touch escaped',
  '$(touch escaped)',
];
const URLS = [
  TRAP,
  `${TRAP}/api/v1/billing/balance`,
  `//trap.invalid/x`,
  'file:///etc/passwd',
  'javascript:alert(1)',
  'data:text/plain,x',
  'http://user:pass@trap.invalid',
  'http://169.254.169.254/',
  'http://[::1]:1/',
  'ftp://trap.invalid',
];
const AMOUNT_TEXTS = [
  'lots',
  'abc',
  '',
  '-1',
  '-5000000',
  '1e6',
  '0x10',
  '5000000.5',
  ' 5000000',
  '5,000',
  'NaN',
  'Infinity',
  '٥',
  '5000000',
  '50000000',
  `${'9'.repeat(40)}`,
  '0',
];
const TIMES = [
  '600',
  '1800000000000',
  '9999-12-31T23:59:59Z',
  '0000-00-00',
  'never',
  '-1',
  '+275760-09-13T00:00:00.001Z',
];
export const CHAINS = [
  'eip155:1',
  'eip155:8453',
  'eip155:84532',
  'eip155:0',
  'eip155:-1',
  'eip155:1e3',
  'eip155:',
  'EIP155:8453',
  'eip155:8453 ',
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  'bip122:000000000019d6689c085ae165831e93',
  'eip155',
];
export const TOKENS = [
  '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
  '0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf',
  '0x4200000000000000000000000000000000000006',
  SANDBOX_CONTRACTS.usdc,
  SANDBOX_CONTRACTS.stakeToken,
  '0x0000000000000000000000000000000000000000',
  '0x1234',
  'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
];
const NUMBERS = [
  0,
  -0,
  -1,
  0.1,
  1,
  20,
  600,
  86_400,
  86_401,
  1e9,
  1.8e12,
  2 ** 31,
  2 ** 53,
  9_007_199_254_740_993,
  1e21,
  1e308,
  -1e308,
  5e-324,
  5_000_000,
  0.000_000_000_1,
];
/** Inherited JavaScript property names, which are dangerous in code that copies objects. */
const MEMBER_NAMES = [
  '__proto__',
  'constructor',
  'toString',
  'then',
  'toJSON',
  'length',
  'error',
  'data',
  'code',
  'hint',
  '',
];

/**
 * Generates values that a gateway may put in any place: of a wrong type, extreme, or aimed at a path, terminal, URL or
 * price.
 */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], { toString: 1 }, { then: 'x' }, [
      {},
      {},
    ]),
  },
  { weight: 3, arbitrary: fc.constantFrom(...NUMBERS) },
  { weight: 3, arbitrary: fc.constantFrom(...CONTROL_TEXTS, ...CONTROL_TEXTS.map((text) => `before ${text} after`)) },
  { weight: 2, arbitrary: fc.constantFrom(...PATHS) },
  { weight: 2, arbitrary: fc.constantFrom(...URLS) },
  { weight: 2, arbitrary: fc.constantFrom(...AMOUNT_TEXTS, ...TIMES) },
  { weight: 2, arbitrary: fc.constantFrom(...CHAINS, ...TOKENS) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'x'.repeat(5_000),
      `${'0'.repeat(300)}1`,
      '{"a":1}',
      'data: [DONE]\n\n',
      '%s%n',
      '<script>alert(1)</script>',
      "'; DROP TABLE x; --",
    ),
  },
  { weight: 2, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

/** Change of one value in a JSON body. `at` modulo the number of values, the root included, selects the value. */
export interface Edit {
  at: number;
  how: 'replace' | 'remove' | 'repeat' | 'wrap' | 'add' | 'as-text';
  name: string;
  value: unknown;
}

const PLACES_MAX = 10_000;

export const edit: fc.Arbitrary<Edit> = fc.record({
  at: fc.nat(PLACES_MAX),
  how: fc.constantFrom<Edit['how']>(
    'replace',
    'replace',
    'replace',
    'replace',
    'remove',
    'repeat',
    'wrap',
    'add',
    'as-text',
  ),
  name: fc.constantFrom(...MEMBER_NAMES),
  value: hostileValue,
});

interface Place {
  parent: Record<string, unknown>;
  name: string;
}

/** Changes one value of the body in place and returns the body. */
export function edited(body: unknown, { at, how, name, value }: Edit): unknown {
  const root = { body };
  const places = placesIn(root, 'body');
  const place = places[at % places.length] as Place;
  const present = place.parent[place.name];
  if (how === 'remove' && place.parent !== root) removeFrom(place);
  else if (how === 'as-text') put(place, String(present));
  else if (how === 'wrap') put(place, [present]);
  else if (how === 'repeat' && Array.isArray(present))
    put(
      place,
      Array.from({ length: 200 }, () => present[0] as unknown),
    );
  else if (how === 'add' && typeof present === 'object' && present !== null)
    put({ parent: present as Record<string, unknown>, name }, value);
  else put(place, value);
  return root.body;
}

function placesIn(parent: Record<string, unknown>, name: string): Place[] {
  const value = parent[name];
  const below =
    typeof value === 'object' && value !== null
      ? Object.keys(value).flatMap((each) => placesIn(value as Record<string, unknown>, each))
      : [];
  return [{ parent, name }, ...below];
}

function removeFrom({ parent, name }: Place): void {
  if (Array.isArray(parent)) parent.splice(Number(name), 1);
  else delete parent[name];
}

/** Uses defineProperty, because an assignment to `__proto__` would not create a member. */
function put({ parent, name }: Place, value: unknown): void {
  Object.defineProperty(parent, name, { value, enumerable: true, configurable: true, writable: true });
}
