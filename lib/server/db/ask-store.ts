import { isApiError } from '@/lib/protocol/errors';
import { kindOfFailure, storeUnavailable } from './postgres/failure';

/**
 * Runs work on the store.
 *
 * @throws ApiError STORE_UNAVAILABLE (503) if the database fails; API errors, bugs and refused statements pass
 * unchanged
 */
export async function askStore<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isOurs = isApiError(error) || error instanceof TypeError || error instanceof RangeError;
    if (isOurs || kindOfFailure(error) === 'refused') throw error;
    throw storeUnavailable(error);
  }
}
