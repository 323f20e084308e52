import { ReadTurn } from '../http/read-turn';

/** Bounds the bytes of all upstreams' answers that are read in one turn of the event loop. */
export const upstreamReads = new ReadTurn();

/** Maximum interim responses (RFC 9110, section 15.2) before an answer. */
export const INTERIM_MAX = 16;
