// safe
#include <assert.h>
int main(int argc, char **argv){ char b=1; int g=1; if(argc>0) argv[0][0]=5; assert(b==1&&g==1&&argv[0]!=&b);}
