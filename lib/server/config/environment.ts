import { serversOf } from '@/lib/protocol/database-servers';
import { upstreamVariable } from '@/lib/protocol/networks';
import type { Faults } from './faults';
import { membersAt } from './field-path';
import { isHttpUrl } from './fields';
import { Secret } from './secret';

export type Environment = Readonly<Record<string, string | undefined>>;

const SECRET_LENGTH_MIN = 32;
const PORT_MAX = 65_535;

/** Returns the settings that variables override, and the names of these variables by field. */
export function settingsOf(
  env: Environment,
  file: Readonly<Record<string, unknown>>,
): {
  settings: Record<string, unknown>;
  variables: ReadonlyMap<string, string>;
} {
  const settings: Record<string, unknown> = {};
  const variables = new Map<string, string>();
  const set = (variable: string, path: string, make: (text: string) => unknown): void => {
    const text = env[variable];
    if (!text) return;
    settings[path.split('.')[0] as string] = make(text);
    variables.set(path, variable);
  };
  set('TURNPIKE_PROFILE', 'profile', (text) => text);
  set('TURNPIKE_DATA_DIR', 'dataDir', (text) => text);
  set('PUBLIC_URL', 'publicUrls', splitList);
  set('LOG_LEVEL', 'log.level', (level) => ({ ...Object.fromEntries(membersAt(file, 'log')), level }));
  return { settings, variables };
}

/** Returns PORT; 3000 if it is not set. If PORT is 0, the system chooses a free port. */
export function portOf({ PORT: text }: Environment, faults: Faults): number {
  const port = Number(text || '3000');
  if (text && (!/^[0-9]{1,5}$/.test(text) || port > PORT_MAX))
    faults.set('PORT', `expected a number from 0 to ${PORT_MAX}, got ${JSON.stringify(text.slice(0, 20))}`);
  return port;
}

export function secretOf({ TURNPIKE_SECRET: text }: Environment, needed: boolean, faults: Faults): Secret | null {
  if (text && text.length >= SECRET_LENGTH_MIN) return new Secret(text);
  if (text) faults.set('TURNPIKE_SECRET', `expected at least ${SECRET_LENGTH_MIN} characters, got ${text.length}`);
  else if (needed)
    faults.set('TURNPIKE_SECRET', `expected a secret of at least ${SECRET_LENGTH_MIN} characters in the environment`);
  return null;
}

/** Returns the previous secret, whose signatures are still accepted; null if none is set. */
export function previousSecretOf(
  { TURNPIKE_SECRET_PREVIOUS: text, TURNPIKE_SECRET: today }: Environment,
  faults: Faults,
): Secret | null {
  if (!text) return null;
  if (text.length < SECRET_LENGTH_MIN)
    faults.set('TURNPIKE_SECRET_PREVIOUS', `expected at least ${SECRET_LENGTH_MIN} characters, got ${text.length}`);
  else if (text === today)
    faults.set(
      'TURNPIKE_SECRET_PREVIOUS',
      'expected the earlier secret that TURNPIKE_SECRET replaced, not the same secret',
    );
  return new Secret(text);
}

/** Returns the URL of Postgres as a secret, because it contains a password; null for SQLite. */
export function databaseUrlOf({ DATABASE_URL: text }: Environment, faults: Faults): Secret | null {
  if (!text) return null;
  if (!/^postgres(ql)?:\/\/\S+$/.test(text))
    faults.set('DATABASE_URL', 'expected a URL such as postgres://user:password@host:5432/database');
  try {
    serversOf(text);
  } catch (error) {
    faults.set('DATABASE_URL', (error as Error).message);
  }
  return new Secret(text);
}

export function upstreamUrlsOf(slug: string, env: Environment, faults: Faults): string[] | null {
  const name = upstreamVariable(slug);
  const text = env[name];
  if (!text) return null;
  const urls = splitList(text);
  if (urls.length === 0) faults.set(name, 'expected one URL, or several separated by commas');
  urls.forEach((url, index) => {
    if (!isHttpUrl(url)) faults.set(`${name}[${index}]`, 'expected an http:// or https:// URL');
  });
  return urls;
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
