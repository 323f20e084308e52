import { expect, it } from 'vitest';
import { keyNameText } from './words';

it('tells keys of one name apart, and names what has no name', () => {
  expect(keyNameText({ id: '1', description: 'Laptop', last6: 'a1b2c3' })).toBe('Laptop …a1b2c3');
  expect(keyNameText({ id: '2', description: '', last6: 'd4e5f6' })).toBe('Unnamed key …d4e5f6');
});
