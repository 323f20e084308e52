import { WALLET_FAMILIES, type WalletFamily } from '../wallet-address';
import {
  chainReference,
  isAuthority,
  isPchars,
  isUri,
  MalformedSignIn,
  parseDateTime,
  toChecksumAddress,
} from './message-fields';

/** Fields of a sign-in message, exactly as written (EIP-4361; CAIP-122 for Solana). */
export interface SignInMessage {
  family: WalletFamily;
  /** Scheme of the requesting origin, if the message states it. */
  scheme?: string;
  domain: string;
  /** EIP-55 checksum address for EVM, base58 for Solana. */
  address: string;
  statement?: string;
  uri: string;
  version: '1';
  /** Decimal id of an EVM chain, or name of a Solana cluster with or without its CAIP-2 namespace. */
  chainId: string;
  nonce: string;
  issuedAt: string;
  expirationTime?: string;
  notBefore?: string;
  requestId?: string;
  resources?: string[];
}

/** Allowed statements (EIP-4361, ABNF "statement"), except the empty statement. */
export const SIGN_IN_STATEMENT_FORM = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;= ]+$/;
const NONCE = /^[A-Za-z0-9]{8,}$/;
const EVM_ADDRESS = /^0x[0-9A-Fa-f]{40}$/;
const SOLANA_ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

interface Dialect {
  account: string;
  chainId: RegExp;
  chainIdForm: string;
  /**
   * True if an absent statement, or an empty list of resources, still has its own line. EVM libraries write the line,
   * and Solana libraries omit it.
   */
  showsAbsent: boolean;
  /** Returns why an address is invalid; null if valid. */
  addressFault(address: string): string | null;
}

const DIALECTS: Readonly<Record<WalletFamily, Dialect>> = {
  evm: {
    account: 'Ethereum',
    chainId: /^\d+$/,
    chainIdForm: 'digits',
    showsAbsent: true,
    addressFault(address) {
      if (!EVM_ADDRESS.test(address)) return 'must be an address of 0x and 40 hex digits';
      return toChecksumAddress(address) === address
        ? null
        : 'must be the address in its mixed-case form with checksum (EIP-55)';
    },
  },
  solana: {
    account: 'Solana',
    chainId: /^[A-Za-z0-9:-]+$/,
    chainIdForm: 'the name of a Solana cluster',
    showsAbsent: false,
    addressFault: (address) => (SOLANA_ADDRESS.test(address) ? null : 'must be a Solana address in base58'),
  },
};
const ACCOUNTS = WALLET_FAMILIES.map((family) => DIALECTS[family].account);
const FIRST_LINE = new RegExp(
  `^(?:([A-Za-z][A-Za-z0-9+\\-.]*)://)?(.*) wants you to sign in with your (${ACCOUNTS.join('|')}) account:$`,
);

/**
 * Parses a sign-in message. EVM messages must match EIP-4361 exactly. Solana messages (CAIP-122) say "Solana" instead
 * of "Ethereum". A Solana message without a statement may have one empty line instead of two.
 *
 * @throws {MalformedSignIn} naming the faulty line
 */
export function parseSignInMessage(text: string): SignInMessage {
  const lines = new Lines(text);
  const [, scheme, domain = '', account = ''] = lines.match(
    FIRST_LINE,
    'must be "<domain> wants you to sign in with your Ethereum account:", or Solana',
  );
  const family = WALLET_FAMILIES[ACCOUNTS.indexOf(account)] as WalletFamily;
  const { chainId, chainIdForm } = DIALECTS[family];
  if (!isAuthority(domain)) lines.refuse('must start with a domain (RFC 3986)');
  const address = readAddress(lines, family);
  const statement = readStatement(lines, family);
  const fields = {
    uri: lines.field('URI', isUri, 'a URI (RFC 3986)'),
    version: lines.field('Version', (value) => value === '1', '1') as '1',
    chainId: lines.field('Chain ID', (value) => chainId.test(value), chainIdForm),
    nonce: lines.field('Nonce', (value) => NONCE.test(value), 'at least 8 letters and digits'),
    issuedAt: lines.field('Issued At', isDateTime, DATE_TIME),
  };
  const expirationTime = lines.optionalField('Expiration Time', isDateTime, DATE_TIME);
  const notBefore = lines.optionalField('Not Before', isDateTime, DATE_TIME);
  const requestId = lines.optionalField('Request ID', isPchars, 'characters of a URI path (RFC 3986)');
  const resources = lines.resources();
  lines.end();
  return {
    family,
    ...(scheme === undefined ? {} : { scheme }),
    domain,
    address,
    ...(statement === undefined ? {} : { statement }),
    ...fields,
    ...(expirationTime === undefined ? {} : { expirationTime }),
    ...(notBefore === undefined ? {} : { notBefore }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(resources === undefined ? {} : { resources }),
  };
}

/**
 * Formats a message for signing; the inverse of `parseSignInMessage`. Does not validate: callers must parse the result
 * if a field is untrusted.
 */
export function formatSignInMessage(message: Omit<SignInMessage, 'version'> & { version: string }): string {
  const {
    family,
    scheme,
    domain,
    address,
    statement,
    uri,
    version,
    chainId,
    nonce,
    issuedAt,
    expirationTime,
    notBefore,
    requestId,
    resources,
  } = message;
  const { account, showsAbsent } = DIALECTS[family];
  const optional = (title: string, value: string | undefined): string[] => (value ? [`${title}: ${value}`] : []);
  return [
    `${scheme ? `${scheme}://` : ''}${domain} wants you to sign in with your ${account} account:`,
    address,
    '',
    ...statementLines(statement, showsAbsent),
    `URI: ${uri}`,
    `Version: ${version}`,
    `Chain ID: ${chainReference(chainId)}`,
    `Nonce: ${nonce}`,
    `Issued At: ${issuedAt}`,
    ...optional('Expiration Time', expirationTime),
    ...optional('Not Before', notBefore),
    ...optional('Request ID', requestId),
    ...(resources && (showsAbsent || resources.length > 0)
      ? ['Resources:', ...resources.map((resource) => `- ${resource}`)]
      : []),
  ].join('\n');
}

const DATE_TIME = 'a date and time such as 2026-01-31T12:00:00Z (RFC 3339)';

function isDateTime(text: string): boolean {
  return parseDateTime(text) !== null;
}

function readAddress(lines: Lines, family: WalletFamily): string {
  const address = lines.take();
  const fault = DIALECTS[family].addressFault(address);
  return fault === null ? address : lines.refuse(fault);
}

/**
 * Reads the statement and the empty lines around it. Two consecutive empty lines mean no statement; three mean an empty
 * statement (EIP-4361).
 */
function readStatement(lines: Lines, family: WalletFamily): string | undefined {
  lines.blank();
  if (!DIALECTS[family].showsAbsent && lines.next?.startsWith('URI: ') && lines.afterNext !== '') return undefined;
  if (lines.next !== '') {
    const [statement] = lines.match(
      SIGN_IN_STATEMENT_FORM,
      'must be a statement of printable ASCII characters, except double quotes and < > % \\ ^ ` { | }',
    );
    lines.blank();
    return statement;
  }
  lines.blank();
  if (lines.next !== '') return undefined;
  lines.blank();
  return '';
}

/** In a Solana message, an empty statement counts as absent. */
function statementLines(statement: string | undefined, showsAbsent: boolean): string[] {
  if (!showsAbsent) return statement ? [statement, ''] : [];
  return statement === undefined ? [''] : [statement, ''];
}

class Lines {
  readonly #lines: string[];
  #index = 0;

  constructor(text: string) {
    this.#lines = text.split('\n');
  }

  get next(): string | undefined {
    return this.#lines[this.#index];
  }

  get afterNext(): string | undefined {
    return this.#lines[this.#index + 1];
  }

  take(): string {
    const line = this.#lines[this.#index++];
    if (line === undefined) throw new MalformedSignIn(`The sign-in message ends after line ${this.#lines.length}.`);
    return line;
  }

  /** @throws {MalformedSignIn} always, naming the last line read */
  refuse(fault: string): never {
    throw new MalformedSignIn(`Line ${this.#index} of the sign-in message ${fault}.`);
  }

  match(form: RegExp, fault: string): RegExpExecArray {
    return form.exec(this.take()) ?? this.refuse(fault);
  }

  blank(): void {
    if (this.take() !== '') this.refuse('must be empty');
  }

  field(title: string, isValid: (value: string) => boolean, expected: string): string {
    const line = this.take();
    if (!line.startsWith(`${title}: `)) this.refuse(`must be "${title}: " and ${expected}`);
    const value = line.slice(title.length + 2);
    if (!isValid(value)) this.refuse(`must have ${expected} after "${title}: "`);
    return value;
  }

  optionalField(title: string, isValid: (value: string) => boolean, expected: string): string | undefined {
    return this.next?.startsWith(`${title}: `) ? this.field(title, isValid, expected) : undefined;
  }

  resources(): string[] | undefined {
    if (this.next !== 'Resources:') return undefined;
    this.take();
    const resources: string[] = [];
    while (this.next?.startsWith('- ')) {
      const resource = this.take().slice(2);
      if (!isUri(resource)) this.refuse('must be "- " and a URI (RFC 3986)');
      resources.push(resource);
    }
    return resources;
  }

  end(): void {
    if (this.next === undefined) return;
    this.take();
    this.refuse(
      'is out of place: fields are URI, Version, Chain ID, Nonce, Issued At, Expiration Time, Not Before, Request ID, Resources, in this order',
    );
  }
}
