import { ReadTurn } from '../http/read-turn';

/** How much of all upstreams' answers is read in one turn of the event loop. */
export const upstreamReads = new ReadTurn();

/** Interim responses (RFC 9110, section 15.2) before an answer: an upstream that sends more never answers. */
export const INTERIM_MAX = 16;
