import { storedName } from './remember.ts';
import { CAME, LEFT } from './who-came-name.ts';

/**
 * What scripts that ask ahead have in common, as text inside of their own function, which has made the objects `a` and `o`: `ask(path, body)` asks for what a
 * page will ask for, and keeps the answer in `a` for `askedAhead` (asked-ahead.ts); @returns null for a refusal and for none. `said(answer)` is its data.
 * `note(name)` writes down in `o` what the browser remembers under a name: where that has changed when an answer is wanted, it is not taken. Who is signed in is noted.
 */
export const ASK = `function ask(path,body){var s=performance.now(),j={accept:"application/json"};if(body)j["content-type"]="application/json";
return a[body?path+" "+body:path]=fetch(path,{method:body?"POST":"GET",credentials:"same-origin",headers:j,body:body}).then(function(f){
return f.text().then(function(t){return f.status===200?{status:200,text:t,sent:s,received:performance.now()}:null})}).catch(function(){return null})}
function said(f){return JSON.parse(f.text).data}
function note(k){try{o[k]=localStorage.getItem("${storedName('')}"+k)}catch(x){}}
note("${CAME}");note("${LEFT}");`;
