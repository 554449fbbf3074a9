import { Link } from 'react-router';
import { paths } from '#web/lib/paths.ts';
import { t } from '#web/lib/t.ts';
import classes from './StreamTrouble.module.css';
import { type Stream, streamFaults, streamTroubles, streamWarnings, streamWords } from './stream-words.ts';
import { useStream } from './useStream.ts';

/** Tells a teacher in the room what is wrong with the stream, which students only see as a picture that stays away; else nothing. */
export function StreamTrouble({ liveId }: { liveId: number }) {
  const { data: stream } = useStream(liveId);
  const words = stream ? troubleWords(stream) : [];
  return (
    <div role="status">
      {words.length > 0 && (
        <div className={classes.trouble}>
          {words.map((text) => (
            <p key={text}>{text}</p>
          ))}
          <Link to={paths.teachLive({ stream: liveId })}>{t('推流设置')}</Link>
        </div>
      )}
    </div>
  );
}

function troubleWords(stream: Stream): string[] {
  const { trouble, fault, sends, streamState, warnings } = stream;
  if (sends) return warnings.map((warning) => t(streamWarnings[warning]));
  return [
    ...(trouble === '' ? [] : [t(streamTroubles[trouble])]),
    ...(fault === '' ? [] : [t(streamFaults[fault])]),
    ...(streamState === 'live' ? [] : [streamWords(stream)]),
  ];
}
