import { ReadTurn } from '../http/read-turn';

/** Limits how many bytes of upstreams' answers are read in one turn of the event loop, for all upstreams together. */
export const upstreamReads = new ReadTurn();

/** Maximum interim responses (RFC 9110, section 15.2) before an answer. */
export const INTERIM_MAX = 16;
