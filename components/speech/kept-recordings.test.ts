import { expect, it } from 'vitest';
import { PAST_BARS, parsePastRecordings, type PastRecording } from './kept-recordings';

const recording: PastRecording = {
  id: 't',
  atMs: 1,
  request: { input: 'Hello.', model: 'm', voice: 'v', response_format: 'mp3' },
  characters: 6,
  costUsd: '0.000021000',
  bytes: 10,
  contentType: 'audio/mpeg',
  durationSeconds: 1.5,
  engine: null,
  bars: Array<number>(PAST_BARS).fill(50),
  restFrom: 1,
};

it('what was spoken comes back as it was', () => {
  expect(parsePastRecordings(JSON.parse(JSON.stringify([recording])))).toEqual([recording]);
});

it('of an earlier version lacks its waveform and was whole', () => {
  const { bars: _bars, restFrom: _restFrom, ...older } = recording;
  expect(parsePastRecordings([older])).toEqual([{ ...older, bars: [], restFrom: null }]);
});

it.each([
  null,
  7,
  {},
  { ...recording, request: null },
  { ...recording, request: { ...recording.request, response_format: 'exe' } },
  { ...recording, bytes: '1' },
  { ...recording, durationSeconds: 'long' },
])('what is not whole is left out: %j', (entry) => {
  expect(parsePastRecordings([entry, recording])).toEqual([recording]);
});

it('a malformed waveform is ignored', () => {
  for (const bars of ['x', [1, 2], Array<number>(PAST_BARS).fill(1e9), Array<string>(PAST_BARS).fill('1')])
    expect(parsePastRecordings([{ ...recording, bars }])).toEqual([{ ...recording, bars: [] }]);
});
