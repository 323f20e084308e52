'use client';

/** Error page for a crashed shell, smaller than Next's own. Styles itself, because the style sheet may be missing. */
export default function ShellError({ error }: { error: Error & { digest?: string } }) {
  return (
    <html lang="en" style={{ colorScheme: 'light dark' }}>
      <body style={{ font: '1rem/1.5 system-ui', padding: '2rem' }}>
        <h1>This page couldn’t load</h1>
        <p>Reload to try again, or go back.</p>
        {error.digest !== undefined && <p>{error.digest}</p>}
        <button type="button" onClick={() => window.location.reload()}>
          Reload
        </button>{' '}
        <button type="button" onClick={() => window.history.back()}>
          Back
        </button>
      </body>
    </html>
  );
}
