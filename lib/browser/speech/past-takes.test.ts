import { expect, it } from 'vitest';
import { PAST_BARS, parsePastTakes, type PastTake } from './past-takes';

const take: PastTake = {
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
  expect(parsePastTakes(JSON.parse(JSON.stringify([take])))).toEqual([take]);
});

it('of an earlier version lacks its waveform and was whole', () => {
  const { bars: _bars, restFrom: _restFrom, ...older } = take;
  expect(parsePastTakes([older])).toEqual([{ ...older, bars: [], restFrom: null }]);
});

it.each([
  null,
  7,
  {},
  { ...take, request: null },
  { ...take, request: { ...take.request, response_format: 'exe' } },
  { ...take, bytes: '1' },
  { ...take, durationSeconds: 'long' },
])('what is not whole is left out: %j', (entry) => {
  expect(parsePastTakes([entry, take])).toEqual([take]);
});

it('a waveform of a foreign hand is none', () => {
  for (const bars of ['x', [1, 2], Array<number>(PAST_BARS).fill(1e9), Array<string>(PAST_BARS).fill('1')])
    expect(parsePastTakes([{ ...take, bars }])).toEqual([{ ...take, bars: [] }]);
});
