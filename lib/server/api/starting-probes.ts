import type { IncomingMessage, ServerResponse } from 'node:http';
import { bytesOf, type Reply } from '../http/call';
import { newRequestId } from '../http/request-id';
import { alive, livezRoute, readyzRoute, unready } from './probes';

const STARTING = [{ check: 'start', reason: 'The gateway is starting: it opens and migrates its database.' }];

/** Answers the probes of a gateway that is still starting. @returns whether the request was a probe */
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
