import type { IncomingMessage, ServerResponse } from 'node:http';
import { bytesOf, type Reply } from '../http/call';
import { newRequestId } from '../http/request-id';
import { alive, livezRoute, readyzRoute, unready } from './probes';

const STARTING = [{ check: 'start', reason: 'The gateway is starting: its store is opened and migrated.' }];

/** Answers the probes of a gateway whose endpoints do not exist yet. @returns whether it did: all else waits for them. */
export function answerWhileStarting({ method, url }: IncomingMessage, response: ServerResponse): boolean {
  const reply = method === 'GET' || method === 'HEAD' ? replyTo(url) : null;
  if (!reply) return false;
  response.writeHead(reply.status, { ...reply.headers, 'x-request-id': newRequestId(), 'cache-control': 'no-store' });
  response.end(method === 'HEAD' || reply.body === null ? undefined : bytesOf(reply.body as string));
  return true;
}

function replyTo(url: string | undefined): Reply | null {
  if (url === livezRoute.path) return alive();
  return url === readyzRoute.path ? unready(STARTING) : null;
}
