import { newId } from '../../new-id';
import {
  NAME_CHARACTERS_MAX,
  REQUEST_CHARACTERS_MAX,
  type RequestCollection,
  type SavedRequest,
  tidyName,
} from './collections';

const KIND = 'turnpike-rpc-collection';
const VERSION = 1;
/** More is no file that was exported here. */
export const FILE_BYTES_MAX = 4_000_000;
const REQUESTS_MAX = 1_000;

/** Why a file is not imported. */
export type FileFault = 'too-large' | 'not-json' | 'other-file' | 'newer' | 'empty';

/** A collection as a file to keep or to hand on. It holds no key and no answer. */
export function writeCollectionFile({ name, requests }: RequestCollection): string {
  return `${JSON.stringify({ kind: KIND, version: VERSION, name, requests: requests.map(({ name: each, network, text }) => ({ name: each, network, text })) }, null, 2)}\n`;
}

/** The name of that file: letters and digits of the collection's own. */
export function collectionFileName(name: string): string {
  return `${
    name
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '')
      .toLowerCase() || 'collection'
  }.rpc.json`;
}

/**
 * Reads such a file, whoever wrote it. What of it is no request is left out; nothing of it is sent.
 * @returns the collection, or why it is none
 */
export function readCollectionFile(text: string): Omit<RequestCollection, 'id'> | FileFault {
  if (text.length > FILE_BYTES_MAX) return 'too-large';
  const file = parse(text);
  if (file === undefined) return 'not-json';
  if (typeof file !== 'object' || file === null) return 'other-file';
  const { kind, version, name, requests } = file as Record<string, unknown>;
  if (kind !== KIND || typeof version !== 'number' || !Array.isArray(requests)) return 'other-file';
  if (version > VERSION) return 'newer';
  const read = requests
    .slice(0, REQUESTS_MAX)
    .flatMap((request) => readRequest(request) ?? [])
    .map((request) => ({ ...request, id: newId() }));
  return read.length === 0
    ? 'empty'
    : { name: (typeof name === 'string' && tidyName(name)) || 'Imported', requests: read };
}

/** A request of a file or of the storage; null for anything else. */
export function readRequest(value: unknown): SavedRequest | null {
  if (typeof value !== 'object' || value === null) return null;
  const { id, name, network, text } = value as Record<string, unknown>;
  if (typeof name !== 'string' || typeof network !== 'string' || typeof text !== 'string') return null;
  if (network.length > NAME_CHARACTERS_MAX || text.length > REQUEST_CHARACTERS_MAX || tidyName(name) === '')
    return null;
  return { id: typeof id === 'string' && id !== '' ? id : newId(), name: tidyName(name), network, text };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, '')) as unknown;
  } catch {
    return undefined;
  }
}
