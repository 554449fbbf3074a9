import { shot, packId, packs, get, post, ctx, browser, out, base } from './shots.mjs';
const p2=packs[1].packId;
const types=[1,2,3,5,4,8];
const mk = async (pid,n)=>{ const o=await get(ctx,`/app/exam/random_options?packId=${pid}`); const has={}; for(const c of o.chapters) for(const t of c.types) has[t.questionTypesId]=(has[t.questionTypesId]||0)+t.count;
 const lines=types.filter(t=>has[t]).map(t=>({questionTypesId:t,count:Math.min(n,has[t]),score:t>3?5:2}));
 return post(ctx,'/app/exam/random_paper',{packId:pid,name:'随机组卷 11月22日 14:05',lines,examTime:60}); };
const r1=await mk(packId,6), r2=await mk(p2,8);
const pdf = async (path,name,act)=>{ const page=await ctx.newPage(); page.on('pageerror',e=>console.log(e.message)); await page.goto(base+path); await page.waitForTimeout(2500); if(act) await act(page); await page.pdf({path:`${out}/${name}.pdf`,preferCSSPageSize:true}); await page.screenshot({path:`${out}/${name}-screen.png`}); await page.close(); };
await pdf(`/paper/print?exam=${r1.examId}`,'print-r1');
for (const [r,name] of [[r1,'c1'],[r2,'c2']]) { const s=await get(ctx,`/app/exam/test_start?examId=${r.examId}`).catch(e=>console.log(e)); 
 const st = s ?? await (await ctx.request.get(base+`/app/exam/test_start?examId=${r.examId}`,{headers:{origin:base,'sec-fetch-site':'same-origin','sec-fetch-mode':'cors','sec-fetch-dest':'empty'}})).json();
 const rec = s? s.recordId : st.data?.recordId; if(!rec) console.log(JSON.stringify(st));
 const d=await get(ctx,`/api/exam/details?recordId=${rec}`);
 await post(ctx,'/api/exam/flag',{recordId:rec,examId:r.examId,questionId:d.questions[1].questionId,flag:1});
 await post(ctx,'/api/exam/submit',{examId:r.examId,recordId:rec,answers:d.questions.slice(0,10).map((q,i)=>({questionId:q.questionId,answer:Object.keys(q.options).length?'B':'文字',seq:1}))});
 await pdf(`/paper/print?exam=${r.examId}&record=${rec}`,`print-${name}`);
 if(name==='c1'){ await shot(`/exam/result/${rec}`,'result',{}); await shot(`/exam/result/${rec}`,'result-phone',{w:390,h:844}); await shot(`/exam/review/${rec}?view=list&only=wrong`,'review'); await shot(`/exam/review/${rec}?only=wrong`,'review-phone',{w:390,h:844}); await shot(`/examCenter/random?packId=${packId}`,'random2');
 await shot(`/examCenter?packId=${packId}`,'papers',{}); await shot(`/wrongQuestions?packId=${packId}`,'wrong',{}); await pdf(`/wrongQuestions/print?packId=${packId}`,'print-wrong'); await shot(`/paper/print?exam=${r.examId}&record=${rec}`,'print-phone',{w:390,h:844}); await shot(`/paper/print?exam=${r.examId}&record=${rec}`,'print-dark',{dark:true}); }
}
const mocks=(await get(ctx,`/api/exam/exam_list?packId=${packId}&kind=mock`)).list; await shot(`/paper/print?exam=${mocks[0].examId}`,'print-refused');
await browser.close();
