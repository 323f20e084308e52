/** A server in a database URL. `host` may be the folder of a Unix socket. */
export interface Server {
  host: string;
  port: number;
}

interface DatabaseServers {
  /** URL reduced to its first server, in the form that `pg` accepts. Contains the password. */
  url: string;
  /** All servers if the URL lists several, else empty. */
  servers: readonly Server[];
  /** False if a pooler in front of the database does not support named prepared statements. */
  isPrepared: boolean;
}

const DEFAULT_PORT = 5432;
const SEVERAL = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@|(?![^/?#]*@)))([^@/?#]*,[^@/?#]*)(.*)$/;
const ONE = /^(\[[\da-f:.]+\]|(?:[\w.~-]|%[\da-f]{2})+)(?::(\d{1,5}))?$/i;
/** Accepted values of `target_session_attrs`. The gateway writes to the database, so it accepts no other values. */
const WRITABLE = ['read-write', 'primary'];

/**
 * Reads the servers from a URL in libpq's format:
 * `postgres://user@a:5432,b:5432/database?target_session_attrs=read-write`.
 *
 * @throws RangeError that says what is wrong, without the URL
 */
export function serversOf(text: string): DatabaseServers {
  const [, start = '', list = '', rest = ''] = SEVERAL.exec(text) ?? [];
  const servers = list === '' ? [] : list.split(',').map(serverOf);
  const url = servers.length === 0 ? text : `${start}${list.split(',')[0]}${rest}`;
  if (!URL.canParse(url)) return { url: text, servers, isPrepared: true };
  const { searchParams } = new URL(url);
  const attributes = searchParams.get('target_session_attrs') ?? 'read-write';
  if (!WRITABLE.includes(attributes))
    throw new RangeError(`target_session_attrs must be one of ${WRITABLE.join(', ')}, because the gateway must write`);
  const prepared = searchParams.get('prepared_statements') ?? 'true';
  if (prepared !== 'true' && prepared !== 'false') throw new RangeError('prepared_statements must be true or false');
  return { url, servers, isPrepared: prepared === 'true' };
}

function serverOf(text: string): Server {
  const [, host, port = String(DEFAULT_PORT)] = ONE.exec(text) ?? [];
  if (host === undefined || Number(port) === 0 || Number(port) > 65_535)
    throw new RangeError('write each of several hosts as host or host:port');
  return { host: decodeURIComponent(host.replace(/^\[(.*)\]$/, '$1')), port: Number(port) };
}
