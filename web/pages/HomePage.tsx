import { TextBones } from '#ui/Bones.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { useMe } from '#web/lib/me.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import page from './page.module.css';
import { StudentHome } from './StudentHome.tsx';
import { VisitorHome } from './VisitorHome.tsx';

/** Home: for a student what to do next, before anything is sold; for a visitor what there is to learn. */
export default function HomePage() {
  useTitle('');
  const { call } = useMe();
  return (
    <div className={page.page}>
      <CallState call={call} skeleton={<TextBones lines={6} />}>
        {({ user }) => (user === null ? <VisitorHome /> : <StudentHome me={user} />)}
      </CallState>
    </div>
  );
}
