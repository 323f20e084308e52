import { expect, test } from 'vitest';
import { sortRecordedAnswers } from './recorded-answers';

test('a recording keeps the reason why NVIDIA gave no verdict', () => {
  const body = new TextEncoder().encode(JSON.stringify({ nvidia_fault: 'NVIDIA did not answer.' }));
  const { answers, endorsements } = sortRecordedAnswers([
    { method: 'GET', url: 'https://gateway.example/report', status: 200, headers: {}, body },
  ]);
  expect(answers()).toHaveLength(1);
  expect(endorsements.nvidiaFault).toBe('NVIDIA did not answer.');
});
